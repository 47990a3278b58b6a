/* cmd/preflight.h: before the first run: one short I/O of every kind that the sweep will do, so
 * that what cannot work is said at once and not at 3 a.m. */
#ifndef CMD_PREFLIGHT_H
#define CMD_PREFLIGHT_H

#include "cmd/session.h"

/* Say what the machine keeps from running and whether the results will fit; make the targets of
 * the rows that are left; try each (target, engine, direct, direction) of them with its
 * smallest and largest bs. In the worker: what hangs is given up after prepared_patience().
 * Writes only where a row of that kind will write, within its region. */
void session_preflight(struct session *s);
/* Is it certain that this job cannot work? Its errno, with the sentence; else 0. */
int preflight_verdict(const struct session *s, const struct job *job, char *text, size_t size);
void preflight_free(struct preflight *p);

#endif
