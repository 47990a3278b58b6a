#include "fio/json_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "plan/key.h"

/* Words of a canonical text that name a value: "bs=" is of an axis that is not known. */
static void take_known(struct strlist *words, char *text)
{
	char *save = NULL;

	for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		if (word[strlen(word) - 1] != '=')
			strlist_add(words, word);
}

static void take_word(struct strlist *words, const struct axis *a, const char *value)
{
	AUTO(text_fini) struct text t = { 0 };

	text_addf(&t, "%s=", a->name);
	key_encode(&t, value);
	strlist_add(words, t.s);
}

void json_key_text(struct text *out, const struct json_options *o)
{
	AUTO(strlist_fini) struct strlist words = { 0 };
	AUTO(text_fini) struct text known = { 0 };
	struct job_text text = { 0 };
	const struct key_raw raw = {
		.size = o->raw_size.said ? o->raw_size.value : o->job.size,
		.offset = o->raw_offset.said ? o->raw_offset.value : o->job.offset,
	};

	memcpy(text.of, o->word, sizeof(text.of));
	key_text(&o->job, &raw, &text, &known);
	take_known(&words, known.s);
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (axes[i].kind == AXIS_ENUM && o->word[i])
			take_word(&words, &axes[i], o->word[i]);
	for (size_t i = 0; i < o->other.len; i++)
		strlist_add(&words, o->other.item[i]);
	if (words.len)
		qsort(words.item, words.len, sizeof(*words.item), text_order);
	for (size_t i = 0; i < words.len; i++)
		text_addf(out, "%s%s", i ? " " : "", words.item[i]);
}
