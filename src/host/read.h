/* host/read.h: the readers behind model/facts.def. */
#ifndef HOST_READ_H
#define HOST_READ_H

#include <stdbool.h>
#include <stdint.h>

struct fact {
	bool number; /* n holds it; else text */
	int64_t n;
	char text[256]; /* "" unknown */
};

/* Each leaves *f alone when this machine does not say. */
#define FACT(name, reader, help) void fact_##reader(struct fact *f);
#include "model/facts.def"
#undef FACT

#endif
