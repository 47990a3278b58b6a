#include "run/walk.h"

/* Sequential: after a step; out at one end, it goes on from the other. */
static uint64_t step(const struct walks *w, const struct walk *k)
{
	int64_t at = (int64_t)k->next;

	if (!w->step)
		return k->next;
	at += w->step;
	if (at < 0)
		at = (int64_t)w->bytes + w->step;
	return at < 0 ? 0 : (uint64_t)at;
}

static bool jumps(struct walks *w, struct walk *k)
{
	if (w->run && k->run) {
		k->run--;
		return false;
	}
	if (w->jump_below <= UINT32_MAX && rng_next(&w->rng) >> 32 >= w->jump_below)
		return false;
	k->run = w->run ? w->run - 1 : 0;
	return true;
}

static uint64_t jump(struct walks *w, unsigned direction)
{
	return draw_next(&w->draw[w->draw_of[direction]]) * w->of[direction].align;
}

/* An I/O that would not end inside the region begins at its start, or jumps. */
bool walk_next(struct walks *w, struct io *io)
{
	unsigned direction = io->op == OP_READ ? 0 : 1;
	struct walk *k = &w->of[direction];
	uint64_t at;

	io->len = k->mix ? size_mix_draw(k->mix, &w->rng) : k->len;
	if (w->random && jumps(w, k))
		at = jump(w, direction);
	else
		at = w->random ? k->next : step(w, k);
	if (at + io->len > w->bytes)
		at = w->random ? jump(w, direction) : 0;
	io->offset = w->start + at;
	k->next = at + io->len;
	if (w->left_bytes == UINT64_MAX)
		return true;
	if (w->left_bytes < io->len || w->left_bytes - io->len < w->min_len)
		return false;
	w->left_bytes -= io->len;
	return true;
}
