/* engine/rwf.h: flags of an I/O that older headers lack. Values are kernel ABI. */
#ifndef ENGINE_RWF_H
#define ENGINE_RWF_H

#include <sys/uio.h>

#ifndef RWF_DONTCACHE /* 6.14 */
#define RWF_DONTCACHE 0x80
#endif

#endif
