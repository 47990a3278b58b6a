/* engine/uring_compat.h: io_uring constants that older headers lack. Values are kernel ABI. */
#ifndef ENGINE_URING_COMPAT_H
#define ENGINE_URING_COMPAT_H

#ifndef IORING_SETUP_SUBMIT_ALL /* 5.18 */
#define IORING_SETUP_SUBMIT_ALL (1U << 7)
#endif
#ifndef IORING_SETUP_COOP_TASKRUN /* 5.19 */
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER /* 6.0 */
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN /* 6.1 */
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif
#ifndef BLOCK_URING_CMD_DISCARD /* 6.12 */
#define BLOCK_URING_CMD_DISCARD 0x1200U
#endif

#endif
