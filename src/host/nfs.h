/* host/nfs.h: what a mounted NFS file system moved, from /proc/self/mountstats. */
#ifndef HOST_NFS_H
#define HOST_NFS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/sample.h"

struct nfs_stat {                                              /* since it was mounted */
	uint64_t read_ios, read_bytes, write_ios, write_bytes; /* from and to the server */
	uint64_t execute_ms; /* time-weighted reads and writes in flight */
};

/* Is a file system of this type one? */
bool nfs_is(const char *fs);
/* Of the mount at mount_point (the last one, which lies on top) in the text of a mountstats
 * file. False: it is not there, or without these counters. */
bool nfs_stat_parse(const char *text, const char *mount_point, struct nfs_stat *out);
int nfs_stat_read(const char *mount_point, struct nfs_stat *out); /* 0 or -errno */
void nfs_stat_delta(const struct nfs_stat *from, const struct nfs_stat *to, uint64_t elapsed_ns,
                    struct device_delta *out);

#endif
