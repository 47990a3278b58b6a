/* A sandbox as containers have it: run a command whose system call SYSCALL fails with ERRNO.
 * refuse SYSCALL ERRNO COMMAND... */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
	{ "io_uring_setup", SYS_io_uring_setup },
	{ "io_setup", SYS_io_setup },
	{ "clone3", SYS_clone3 },
};

int main(int argc, char **argv)
{
	unsigned call = 0;

	for (size_t i = 0; argc > 3 && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(argv[1], calls[i].name) == 0)
			call = calls[i].number;
	if (argc < 4 || !call)
		return 2;

	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
		         SECCOMP_RET_ERRNO | (unsigned)strtoul(argv[2], NULL, 10)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("refuse: seccomp");
		return 77;
	}
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 127;
}
