/* base/branch.h: hints for the compiler, in code that runs once per I/O. */
#ifndef BASE_BRANCH_H
#define BASE_BRANCH_H

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#endif
