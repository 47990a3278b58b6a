#include "cmd/stopping.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "base/cleanup.h"

static volatile sig_atomic_t came;

static void on_signal(int signum)
{
	if (came)
		_exit(128 + signum);
	came = signum;
}

void stopping_begin(void)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old, act = { .sa_handler = on_signal };

	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (!sigaction(taken[i], NULL, &old) && old.sa_handler != SIG_IGN)
			(void)sigaction(taken[i], &act, NULL);
}

int stopping_signal(void)
{
	return came;
}
