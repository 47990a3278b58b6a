/* What is on a block device, by libblkid. */
#include <blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "run/guard_private.h"

int signatures_find(int fd, struct strlist *types)
{
	blkid_probe pr = blkid_new_probe();
	const char *type;
	int r = -1;

	if (!pr)
		return -ENOMEM;
	if (blkid_probe_set_device(pr, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(pr, 1);
		blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_BADCSUM);
		blkid_probe_enable_partitions(pr, 1);
		blkid_probe_set_partitions_flags(pr, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
		while ((r = blkid_do_probe(pr)) == 0) {
			if (blkid_probe_lookup_value(pr, "TYPE", &type, NULL) != 0 &&
			    blkid_probe_lookup_value(pr, "PTTYPE", &type, NULL) != 0)
				continue;
			if (!strlist_has(types, type))
				strlist_add(types, type);
		}
	}
	blkid_free_probe(pr);
	return r == 1 ? 0 : -EIO; /* 1: nothing more */
}

/* The protective MBR is part of every GPT: giving up the one gives up the other. */
bool signature_given_up(const struct consent *c, const char *type)
{
	const struct strlist *l = c->overwrite_signature;

	return l && (strlist_has(l, type) || (!strcmp(type, "PMBR") && strlist_has(l, "gpt")));
}

void guard_signatures(const struct target_info *t, const struct consent *c,
                      struct strlist *types)
{
	AUTO(closep) int fd = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct strlist found = { 0 };

	if (fd >= 0)
		(void)signatures_find(fd, &found);
	for (size_t i = 0; i < found.len; i++) {
		bool part = !strcmp(found.item[i], "PMBR") && strlist_has(&found, "gpt");

		if (!part && !signature_given_up(c, found.item[i]) &&
		    !strlist_has(types, found.item[i]))
			strlist_add(types, found.item[i]);
	}
	strlist_fini(&found);
}
