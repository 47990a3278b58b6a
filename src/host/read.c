#include "host/read.h"

#include <ctype.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "host/facts.h"
#include "host/sysfs.h"

static void say(struct fact *f, const char *s)
{
	text_printable(f->text, sizeof(f->text), s);
}

static void number_in(struct fact *f, const char *path)
{
	uint64_t v;

	if (sysfs_u64(&v, "%s", path) || v > INT64_MAX)
		return;
	f->number = true;
	f->n = (int64_t)v;
}

void fact_host(struct fact *f)
{
	char host[sizeof(f->text)];

	say(f, facts_host(host, sizeof(host)));
}

void fact_iosweep(struct fact *f)
{
	say(f, IOSWEEP_VERSION);
}

void fact_kernel(struct fact *f)
{
	struct utsname u;

	if (!uname(&u))
		say(f, u.release);
}

void fact_arch(struct fact *f)
{
	struct utsname u;

	if (!uname(&u))
		say(f, u.machine);
}

void fact_cpu_model(struct fact *f)
{
	char buf[4096], *p;

	if (file_read("/proc/cpuinfo", buf, sizeof(buf)) < 0)
		return;
	p = strstr(buf, "model name");
	p = p ? strchr(p, ':') : NULL;
	if (!p)
		return;
	p += 1 + strspn(p + 1, " \t");
	p[strcspn(p, "\n")] = '\0';
	say(f, p);
}

void fact_cpus(struct fact *f)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	f->number = true;
	f->n = CPU_COUNT(&set);
}

void fact_governor(struct fact *f)
{
	(void)sysfs_text(f->text, sizeof(f->text),
	                 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
}

void fact_turbo(struct fact *f)
{
	uint64_t v;

	if (!sysfs_u64(&v, "/sys/devices/system/cpu/intel_pstate/no_turbo"))
		say(f, v ? "off" : "on");
	else if (!sysfs_u64(&v, "/sys/devices/system/cpu/cpufreq/boost"))
		say(f, v ? "on" : "off");
}

void fact_smt(struct fact *f)
{
	uint64_t v;

	if (!sysfs_u64(&v, "/sys/devices/system/cpu/smt/active"))
		say(f, v ? "on" : "off");
}

void fact_mitigations(struct fact *f)
{
	static const char base[] = "/sys/devices/system/cpu/vulnerabilities";
	AUTO(closedirp) DIR *d = opendir(base);
	struct text open_ones = { 0 };
	unsigned mitigated = 0, unaffected = 0;
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		char line[256];

		if (entry->d_name[0] == '.' ||
		    sysfs_text(line, sizeof(line), "%s/%s", base, entry->d_name))
			continue;
		if (!strncmp(line, "Not affected", 12))
			unaffected++;
		else if (!strncmp(line, "Mitigation", 10))
			mitigated++;
		else
			text_addf(&open_ones, "%s%s", open_ones.len ? " " : "", entry->d_name);
	}
	if (d)
		(void)snprintf(f->text, sizeof(f->text), "%u mitigated, %u not affected%s%s",
		               mitigated, unaffected, open_ones.len ? ", vulnerable: " : "",
		               text_get(&open_ones));
	text_fini(&open_ones);
}

void fact_numa_nodes(struct fact *f)
{
	AUTO(closedirp) DIR *d = opendir("/sys/devices/system/node");
	struct dirent *entry;

	if (!d)
		return;
	f->number = true;
	while ((entry = readdir(d)))
		if (!strncmp(entry->d_name, "node", 4) &&
		    isdigit((unsigned char)entry->d_name[4]))
			f->n++;
}

void fact_memory_bytes(struct fact *f)
{
	f->number = true;
	f->n = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

void fact_clock_source(struct fact *f)
{
	(void)sysfs_text(f->text, sizeof(f->text),
	                 "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

void fact_virtualization(struct fact *f)
{
	char vendor[100], product[100];
	char info[4096];

	if (file_read("/proc/cpuinfo", info, sizeof(info)) < 0 || !strstr(info, " hypervisor"))
		return;
	(void)sysfs_text(vendor, sizeof(vendor), "/sys/class/dmi/id/sys_vendor");
	(void)sysfs_text(product, sizeof(product), "/sys/class/dmi/id/product_name");
	(void)snprintf(f->text, sizeof(f->text), "%s%s%s", *vendor || *product ? vendor : "yes",
	               *vendor && *product ? " " : "", product);
}

void fact_aio_max_nr(struct fact *f)
{
	number_in(f, "/proc/sys/fs/aio-max-nr");
}

void fact_io_uring_disabled(struct fact *f)
{
	number_in(f, "/proc/sys/kernel/io_uring_disabled");
}

void fact_libc(struct fact *f)
{
	(void)snprintf(f->text, sizeof(f->text), "glibc %s", gnu_get_libc_version());
}
