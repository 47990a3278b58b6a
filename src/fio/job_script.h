/* fio/job_script.h: a plan as a shell script of fio calls. */
#ifndef FIO_JOB_SCRIPT_H
#define FIO_JOB_SCRIPT_H

#include <stdio.h>

#include "plan/plan.h"

/* One call of fio per run, in run order, each into a JSON file of its own. Only for an
 * enumerated plan that nothing was refused of. The script checks every target again before the
 * first call: what the plan would make is not there or was made by it, files and devices are as
 * large as they were, and a device is written to only when its --destroy names it and nothing
 * is mounted from it, swaps to it, holds it or lies on it as a loop device. It is a subset of
 * what the guard of a run looks at (run/users.h): what sh can see on a host without iosweep. */
void fio_script(FILE *out, const struct plan *p);

#endif
