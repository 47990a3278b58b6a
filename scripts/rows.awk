# rows.awk: CSV (RFC 4180) to one line per record with tabs between its fields, for rows.gp. What would end a field or a
# record, and the quotes that gnuplot would read, are replaced: tabs and line ends by a blank, a " by two '.
function count(s, n) {
	n = gsub(/"/, "&", s)
	return n
}

# The fields of one record that has quotes in it.
function split_record(s, out, i, c, inside) {
	out = ""
	inside = 0
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\"") {
			if (inside && substr(s, i + 1, 1) == "\"") {
				out = out "''"
				i++
			} else
				inside = !inside
		} else
			out = out (c == "," && !inside ? "\t" : c)
	}
	return out
}

{
	record = $0
	while (count(record) % 2 && (getline more) > 0)
		record = record " " more
	sub(/\r$/, "", record)
	gsub(/[\t\r]/, " ", record)
	if (index(record, "\""))
		record = split_record(record)
	else
		gsub(/,/, "\t", record)
	print record
}
