'use strict';
/* The table of all rows, and the inside of a run. Texts of the sweep become text nodes, never markup. */
(() => {
	const $ = id => document.getElementById(id);
	const island = id => {
		const node = $(id), value = JSON.parse(node.textContent);
		node.remove();
		return value;
	};
	const data = island('data-rows'), inside = island('data-runs');
	const columns = data.columns, total = data.rows;
	const named = new Map(columns.map(c => [c.n, c]));
	const at = (c, r) => c.v ? c.v[r] : c.d[c.i ? c.i[r] : 0];
	const get = (name, r) => named.has(name) ? at(named.get(name), r) : null;

	function make(tag, props, ...inner) {
		const node = document.createElement(tag);
		Object.assign(node, props);
		node.append(...inner);
		return node;
	}

	/* --- values --- */

	function size(v) {
		const unit = ['t', 'g', 'm', 'k'];
		for (let i = 0, n = 2 ** 40; i < 4; i++, n /= 1024)
			if (v >= n && v % n === 0) return v / n + unit[i];
		return String(v);
	}
	const show = (c, v) => v === null ? '' : c.z && typeof v === 'number' ? size(v) : String(v);
	/* 4k is 4096 bytes, and 4000 of everything else */
	function number(c, text) {
		const m = /^(-?[0-9.]+(?:e[-+]?[0-9]+)?)([kmgt]?)$/i.exec(text);
		return m ? m[1] * (c.z || c.u === 'bytes' ? 1024 : 1000) ** ' kmgt'.indexOf(m[2].toLowerCase() || ' ') : NaN;
	}

	/* --- which rows, in which order --- */

	const state = { sort: null, down: false, page: 0, size: 50, all: false, choice: new Map() };
	let order = Array.from({ length: total }, (_, i) => i);

	const holds = {
		'=': (a, b) => a === b, '!=': (a, b) => a !== b, '<': (a, b) => a < b, '>': (a, b) => a > b,
		'<=': (a, b) => a <= b, '>=': (a, b) => a >= b,
	};
	/* a condition on one column as a function of the row; few values are asked once each */
	function on(c, test) {
		if (c.v) return r => test(c.v[r]);
		const answer = c.d.map(test);
		return r => answer[c.i ? c.i[r] : 0];
	}
	function condition(word) {
		const m = /^([A-Za-z_][A-Za-z0-9_]*)(<=|>=|!=|=|<|>|~)(.*)$/.exec(word);
		if (!m) {
			const small = word.toLowerCase();
			const tests = columns.filter(c => c.t).map(c => on(c, v => v !== null && v.toLowerCase().includes(small)));
			return r => tests.some(t => t(r));
		}
		const c = named.get(m[1]), text = m[3];
		if (!c) throw new Error('no column ' + m[1]);
		if (m[2] === '~') return on(c, v => show(c, v).toLowerCase().includes(text.toLowerCase()));
		if (c.t || text === '') return on(c, v => holds[m[2]](v === null ? '' : String(v), text));
		const n = number(c, text);
		if (Number.isNaN(n)) throw new Error(m[1] + ': not a number: ' + text);
		return on(c, v => v !== null && holds[m[2]](v, n));
	}
	const words = text => (text.match(/(?:[^\s"]|"[^"]*")+/g) || []).map(w => w.replace(/"/g, ''));

	function choose() {
		let message = '';
		try {
			const tests = words($('filter').value).map(condition);
			for (const [c, v] of state.choice) tests.push(on(c, x => show(c, x) === v));
			order = [];
			for (let r = 0; r < total; r++)
				if (tests.every(t => t(r))) order.push(r);
		} catch (e) {
			message = e.message + '. ';
		}
		const c = state.sort;
		if (c) {
			const sign = state.down ? -1 : 1;
			order.sort((a, b) => {
				const x = at(c, a), y = at(c, b);
				if (x === y) return a - b;
				if (x === null || y === null) return x === null ? 1 : -1;
				return x < y ? -sign : sign;
			});
		}
		state.page = 0;
		draw(message);
	}

	/* --- the table --- */

	const table = $('rows'), shown = () => columns.filter(c => state.all || c.s);
	const shown_sort = c => state.sort !== c ? 'none' : state.down ? 'descending' : 'ascending';

	function head() {
		const row = make('tr');
		for (const c of shown()) {
			const button = make('button', { type: 'button', title: (c.h || c.n) + '; sort by it' }, c.u ? c.n + ' (' + c.u + ')' : c.n);
			const cell = make('th', { scope: 'col', className: c.t ? '' : 'n' }, button);
			cell.setAttribute('aria-sort', shown_sort(c));
			button.addEventListener('click', () => {
				state.down = state.sort === c && !state.down;
				state.sort = c;
				choose();
				table.tHead.rows[0].cells[shown().indexOf(c)].firstChild.focus();
			});
			row.append(cell);
		}
		table.tHead.replaceChildren(row);
	}

	function line(r) {
		const row = make('tr', { className: get('doubts', r) || get('status', r) !== 'ok' ? 'row in-doubt' : 'row' });
		for (const c of shown()) {
			const cell = make('td', { className: c.t ? '' : 'n' }), text = show(c, at(c, r));
			if (c.n === 'run') {
				const button = make('button', { type: 'button', title: 'open run ' + text }, text);
				button.setAttribute('aria-expanded', 'false');
				cell.append(button);
			} else
				cell.textContent = text;
			row.append(cell);
		}
		row.addEventListener('click', () => {
			if (!String(getSelection())) toggle(row, r);
		});
		return row;
	}

	function toggle(row, r) {
		const button = row.querySelector('button'), open = row.nextSibling && row.nextSibling.className === 'opened';
		if (open)
			row.nextSibling.remove();
		else
			row.after(make('tr', { className: 'opened' }, make('td', { className: 'detail', colSpan: row.cells.length }, make('div', {}, ...detail(r)))));
		button.setAttribute('aria-expanded', String(!open));
	}

	function draw(message) {
		const pages = Math.max(1, Math.ceil(order.length / state.size)), from = state.page * state.size;
		head();
		table.tBodies[0].replaceChildren(...order.slice(from, from + state.size).map(line));
		$('said').textContent = (message || '') + (order.length === total ? total + ' rows' : order.length + ' of ' + total + ' rows') +
			', page ' + (state.page + 1) + ' of ' + pages;
		$('first').disabled = $('previous').disabled = state.page === 0;
		$('next').disabled = $('last').disabled = state.page === pages - 1;
	}

	/* --- a run --- */

	const SVG = 'http://www.w3.org/2000/svg', W = 560, H = 230, L = 62, R = 14, T = 12, B = 40;
	function shape(tag, attributes, text) {
		const node = document.createElementNS(SVG, tag);
		for (const k in attributes) node.setAttribute(k, attributes[k]);
		if (text !== undefined) node.textContent = text;
		return node;
	}
	const short = v => v >= 1e6 ? +(v / 1e6).toPrecision(3) + 'M' : v >= 1e4 ? +(v / 1e3).toPrecision(3) + 'k' : String(+v.toPrecision(3));
	const time = us => us >= 1e6 ? +(us / 1e6).toPrecision(3) + ' s' : us >= 1e3 ? +(us / 1e3).toPrecision(3) + ' ms' : +us.toPrecision(3) + ' µs';
	function step(max) { /* 1, 2 or 5 times a power of ten, at most five of them */
		const p = 10 ** Math.floor(Math.log10(max / 5));
		return [1, 2, 5, 10].find(m => max / (m * p) <= 5) * p;
	}
	/* a frame with its axes; y gives the place of a value in it */
	function frame(sentence, ylabel, ymax, xlabel) {
		const svg = shape('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': sentence, class: 'card' });
		const y = v => H - B - (H - T - B) * v / ymax;
		svg.append(shape('title', {}, sentence));
		for (let v = 0, s = step(ymax); v <= ymax * 1.0001; v += s) {
			svg.append(shape('line', { x1: L, x2: W - R, y1: y(v), y2: y(v), stroke: v ? '#ddd' : '#555' }));
			svg.append(shape('text', { x: L - 6, y: y(v) + 4, 'text-anchor': 'end', 'font-size': 11, fill: '#333' }, short(v)));
		}
		svg.append(shape('text', { x: 13, y: (H - B + T) / 2, transform: `rotate(-90 13 ${(H - B + T) / 2})`, 'text-anchor': 'middle', 'font-size': 11, fill: '#333' }, ylabel));
		svg.append(shape('text', { x: (W + L) / 2, y: H - 6, 'text-anchor': 'middle', 'font-size': 11, fill: '#333' }, xlabel));
		return { svg, y };
	}
	function tick(svg, x, text) {
		svg.append(shape('line', { x1: x, x2: x, y1: H - B, y2: H - B + 4, stroke: '#555' }));
		svg.append(shape('text', { x, y: H - B + 16, 'text-anchor': 'middle', 'font-size': 11, fill: '#333' }, text));
	}
	function figure(svg, caption) {
		return make('figure', {}, make('figcaption', {}, caption), svg);
	}

	function histogram(bars, r) {
		const first = Math.log10(Math.max(bars[0][0], 0.01)), end = Math.log10(bars[bars.length - 1][1]);
		const edge = Math.max(0.04, (0.6 - end + first) / 2), lo = first - edge, hi = end + edge;
		const all = bars.reduce((n, b) => n + b[2], 0), top = 100 * Math.max(...bars.map(b => b[2])) / all;
		const x = us => L + (W - L - R) * (Math.log10(Math.max(us, 0.01)) - lo) / (hi - lo || 1);
		const f = frame(`Histogram of the latency of ${all} I/Os, from ${time(bars[0][0])} to ${time(bars[bars.length - 1][1])}.`, '% of I/Os', top, 'latency, logarithmic, 8 bars per doubling');
		for (const [low, high, n] of bars) {
			const bar = shape('rect', { x: x(low), width: Math.max(0.7, x(high) - x(low) - 0.4), y: f.y(100 * n / all), height: H - B - f.y(100 * n / all), fill: '#0072b2' });
			bar.append(shape('title', {}, `${time(low)} to ${time(high)}: ${n} I/Os, ${+(100 * n / all).toPrecision(3)} %`));
			f.svg.append(bar);
		}
		const wide = hi - lo, marks = wide > 1.5 ? [1] : wide > 0.7 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
		for (let e = Math.floor(lo); e <= Math.ceil(hi); e++)
			for (const m of marks) {
				const us = m * 10 ** e, px = x(us);
				if (px >= L - 1 && px <= W - R + 1) tick(f.svg, px, time(us));
			}
		for (const p of ['p50', 'p99']) {
			const us = get('lat_' + p + '_us', r);
			if (us === null) continue;
			f.svg.append(shape('line', { x1: x(us), x2: x(us), y1: T, y2: H - B, stroke: '#b34700', 'stroke-dasharray': '4 3' }));
			f.svg.append(shape('text', { x: x(us) + (x(us) > W - 60 ? -4 : 4), y: T + (p === 'p50' ? 8 : 22), 'text-anchor': x(us) > W - 60 ? 'end' : 'start', 'font-size': 11, fill: '#8a3600', stroke: '#fff', 'stroke-width': 3, 'paint-order': 'stroke' }, p));
		}
		return figure(f.svg, 'Latency of the I/Os of the window');
	}

	function course(points, r, k, name, label) {
		const known = points.filter(p => p[k] !== null), top = Math.max(...known.map(p => p[k]));
		const end = Math.max(get('window_s', r) || 0, points[points.length - 1][0]);
		const low = Math.min(...known.map(p => p[k]));
		const x = s => L + (W - L - R) * s / (end || 1);
		const f = frame(`${name} over the window of ${+end.toPrecision(4)} s: between ${short(low)} and ${short(top)}.`, label, top * 1.05 || 1, 'time in the window (s)');
		let d = '', pen = false;
		for (const p of points) {
			if (p[k] === null) { pen = false; continue; }
			d += (pen ? 'L' : 'M') + x(p[0]).toFixed(1) + ' ' + f.y(p[k]).toFixed(1);
			pen = true;
		}
		f.svg.append(shape('path', { d, fill: 'none', stroke: '#0072b2', 'stroke-width': 1.8 }));
		if (points.length < 60)
			for (const p of known) f.svg.append(shape('circle', { cx: x(p[0]), cy: f.y(p[k]), r: 2.2, fill: '#0072b2' }));
		for (let s = 0, n = step(end || 1); s <= end * 1.0001; s += n) tick(f.svg, x(s), String(+s.toPrecision(6)));
		return figure(f.svg, name + (points.length > 1 ? ', every ' + +(points[1][0] - points[0][0]).toPrecision(3) + ' s' : ', the whole window'));
	}

	function pictures(r) {
		const key = (get('side', r) || '') + get('run', r), run = inside.runs[key], op = get('op', r), of = run && run[op];
		if (of) {
			const out = make('div', { className: 'pictures' });
			if (of.h.length) out.append(histogram(of.h, r));
			if (of.s.length) out.append(course(of.s, r, 1, 'I/Os per second', 'I/Os per second'));
			if (of.s.some(p => p[2] !== null)) out.append(course(of.s, r, 2, 'Mean latency (µs)', 'mean latency (µs)'));
			return [out.childNodes.length ? out : make('p', {}, 'Of this run neither a histogram nor a course is known.')];
		}
		if (op === null || get('ios', r) === null) return [make('p', {}, 'No I/O of this run was measured.')];
		const db = inside.db[get('side', r) || ''];
		return [make('p', {}, 'Histogram and course of this run are not in this page (room for ' + inside.held + ' runs). They are in the database: ',
			make('code', {}, 'iosweep show ' + db + ' ' + get('run', r)))];
	}

	function flags(r) {
		const out = make('ul'), why = String(get('why', r) || '').split('\n');
		for (const kind of ['doubts', 'notes'])
			for (const word of String(get(kind, r) || '').split(' ').filter(w => w)) {
				const said = why.find(s => s.startsWith(word + ':')), rule = data.flags[word];
				const item = make('li', {}, make('strong', { className: kind === 'doubts' ? 'doubt' : '' }, (kind === 'doubts' ? 'doubt: ' : 'note: ') + word));
				if (said) item.append(said.slice(word.length));
				if (rule) item.append(make('div', { className: 'soft' }, 'Rule: ' + rule));
				out.append(item);
			}
		return out.childNodes.length ? [make('h4', {}, 'Flags'), out] : [];
	}

	function detail(r) {
		const list = make('dl'), granted = get('effective', r), error = get('error', r);
		for (const c of columns) {
			const text = show(c, at(c, r));
			if (text !== '' && c.n !== 'why' && c.n !== 'effective' && c.n !== 'error')
				list.append(make('div', { title: c.h || '' }, make('dt', {}, c.n), make('dd', {}, c.u && !c.z ? text + ' ' + c.u : text)));
		}
		return [make('h3', {}, 'Run ' + get('run', r) + ': ' + get('label', r) + (get('op', r) ? ', ' + get('op', r) : '') + ': ' + get('status', r)),
			...(error ? [make('p', { className: 'warn' }, error)] : []), ...flags(r), ...pictures(r),
			...(granted ? [make('h4', {}, 'What was granted'), make('p', {}, make('code', {}, granted))] : []),
			make('h4', {}, 'All values'), make('div', { className: 'columns' }, list)];
	}

	/* --- controls --- */

	function choices() {
		for (const c of columns.filter(k => k.s && k.t && k.d && k.d.length > 1 && k.d.length <= 40 && !['doubts', 'notes', 'label', 'options'].includes(k.n))) {
			const select = make('select', { name: c.n }, make('option', { value: '' }, 'all'));
			c.d.map(v => show(c, v)).sort().forEach(v => select.append(make('option', { value: '=' + v }, v || '(none)')));
			select.addEventListener('change', () => {
				if (select.value) state.choice.set(c, select.value.slice(1));
				else state.choice.delete(c);
				choose();
			});
			$('choices').append(make('label', {}, c.n, make('br'), select));
		}
	}
	function turn(id, page) {
		$(id).addEventListener('click', () => {
			state.page = page();
			draw('');
		});
	}
	let timer;
	$('filter').addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(choose, 150);
	});
	$('size').addEventListener('change', () => {
		state.size = +$('size').value;
		state.page = 0;
		draw('');
	});
	$('every').addEventListener('change', () => {
		state.all = $('every').checked;
		draw('');
	});
	turn('first', () => 0);
	turn('previous', () => state.page - 1);
	turn('next', () => state.page + 1);
	turn('last', () => Math.ceil(order.length / state.size) - 1);
	table.addEventListener('keydown', e => { /* up and down from run to run */
		const by = { ArrowUp: -1, ArrowDown: 1 }[e.key], buttons = [...table.tBodies[0].querySelectorAll('tr.row button')];
		const next = by && buttons[buttons.indexOf(document.activeElement) + by];
		if (!next || !buttons.includes(document.activeElement)) return;
		next.focus();
		e.preventDefault();
	});
	choices();
	$('plain').remove();
	for (const node of document.querySelectorAll('.needs-script')) node.hidden = false;
	draw('');
})();
