/* run/course.h: the statistics of a finished run, from the course that it took: sample.verdict
 * and those of its ops. */
#ifndef RUN_COURSE_H
#define RUN_COURSE_H

#include "run/pool.h"
#include "stat/judge.h"

/* After gather(); the jobs are those of the first n lanes. May fold their marks. precision: the
 * relative half width that is good enough. */
void course_judge(struct sample *s, struct pool *p, unsigned n, double precision,
                  struct stat_room *room);

#endif
