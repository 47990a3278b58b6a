/* cmd/stopping.h: a signal that asks a command to stop, for one that has something to take back
 * first. Sweeps have more to do then: session_signals(). */
#ifndef CMD_STOPPING_H
#define CMD_STOPPING_H

/* From here on the first SIGINT, SIGTERM or SIGHUP is remembered, and ends a call of the system
 * that waits (-EINTR); the second one ends the program. What was ignored stays so. */
void stopping_begin(void);
/* The signal that came; 0: none. */
int stopping_signal(void);

#endif
