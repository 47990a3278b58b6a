#include "cmd/outcome_words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

void outcome_io_error(const struct io_error *io, char *buf, size_t size)
{
	const char *name = strerrorname_np(io->error);

	if (io->op == OP_SYNC)
		(void)snprintf(buf, size, "%s: %s (%s)", io->data_only ? "fdatasync" : "fsync",
		               err_name(io->error), name ? name : "?");
	else if (!io->len)
		(void)snprintf(buf, size, "waiting for I/O: %s (%s)", err_name(io->error),
		               name ? name : "?");
	else
		(void)snprintf(buf, size,
		               "%s of %" PRIu32 " bytes at offset %" PRIu64 ": %s (%s)",
		               op_name(io->op), io->len, io->offset,
		               io->error == ENODATA ? "past the end: the target was cut"
		                                    : err_name(io->error),
		               name ? name : "?");
}

void outcome_short(const struct sample *sample, char *buf, size_t size)
{
	const struct io_error *io = &sample->first_short;

	(void)snprintf(buf, size,
	               "%s of %" PRIu32 " bytes at offset %" PRIu64 ": short: %" PRIu32
	               " of %" PRIu32 " bytes",
	               op_name(io->op), io->len, io->offset, sample->first_short_bytes,
	               io->len);
}

void outcome_unseen(const struct sample *sample, char *buf, size_t size)
{
	if (sample->drain_ios)
		(void)snprintf(buf, size,
		               "no I/O completed in the window; %" PRIu64
		               " did after it, within %.3f s, and those of %" PRIu64
		               " of %" PRIu64 " jobs never",
		               sample->drain_ios, (double)sample->drain_ns / 1e9,
		               sample->jobs_hung, sample->jobs);
	else
		(void)snprintf(buf, size, "no I/O completed in the window, and none after it");
}
