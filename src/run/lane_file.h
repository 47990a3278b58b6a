/* run/lane_file.h: the target as one job opens it. Kept open until another one is needed. */
#ifndef RUN_LANE_FILE_H
#define RUN_LANE_FILE_H

#include "run/lane.h"

/* Open what the spec says for this job, or keep it: read-only when nothing is written, O_DIRECT,
 * O_SYNC, O_DSYNC and advice when asked for. Anything but the file or device that was planned for (dev and ino) is
 * -ESTALE. */
int lane_file_open(struct lane_file *f, const struct run_spec *spec, unsigned job,
                   struct err *e);
/* What the kernel is told of the accesses of such a job. */
enum io_advice lane_file_advice(const struct job *job);
void lane_file_close(struct lane_file *f);

/* Does this job of the spec need another file than the one open here? */
bool lane_file_differs(const struct lane_file *f, const struct run_spec *spec, unsigned job);

/* Write dirty pages back, then drop the clean ones, so that a buffered run starts cold. */
int lane_file_drop_cache(const struct lane_file *f, struct err *e);

#endif
