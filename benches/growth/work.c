/* A clock that counts work: the branches that a thread took, as the compiler marked them, and the
 * bytes that it copied, compared, searched or moved, sixteen at a time. Time and the machine do not
 * matter to it. What the standard library does without a branch of ours is not counted. */
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

static _Thread_local uint64_t work;

uint64_t toolglot_work(void) { return work; }

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) { (void)guard; work++; }
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) { (void)start; (void)stop; }

static void bytes(size_t count) { work += count / 16; }

static void same(const unsigned char *one, const unsigned char *other, size_t count) {
    size_t at = 0;
    while (at < count && one[at] == other[at]) at++;
    bytes(at);
}

void *__real_memcpy(void *to, const void *from, size_t count);
void *__real_memmove(void *to, const void *from, size_t count);
void *__real_memset(void *to, int byte, size_t count);
int __real_memcmp(const void *one, const void *other, size_t count);
int __real_bcmp(const void *one, const void *other, size_t count);
void *__real_memchr(const void *in, int byte, size_t count);
void *__real_realloc(void *old, size_t count);

void *__wrap_memcpy(void *to, const void *from, size_t count) { bytes(count); return __real_memcpy(to, from, count); }
void *__wrap_memmove(void *to, const void *from, size_t count) { bytes(count); return __real_memmove(to, from, count); }
void *__wrap_memset(void *to, int byte, size_t count) { bytes(count); return __real_memset(to, byte, count); }
int __wrap_memcmp(const void *one, const void *other, size_t count) { same(one, other, count); return __real_memcmp(one, other, count); }
int __wrap_bcmp(const void *one, const void *other, size_t count) { same(one, other, count); return __real_bcmp(one, other, count); }

void *__wrap_memchr(const void *in, int byte, size_t count) {
    const unsigned char *found = __real_memchr(in, byte, count);
    bytes(found ? (size_t)(found - (const unsigned char *)in) : count);
    return (void *)found;
}

/* As if it were moved each time: whether it is depends on what is beside it. */
void *__wrap_realloc(void *old, size_t count) { bytes(malloc_usable_size(old)); return __real_realloc(old, count); }
