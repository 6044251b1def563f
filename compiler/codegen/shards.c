/* shards.c: see shards.h. */
#include "compiler/codegen/shards.h"

enum {
    KERNEL_WEIGHT = 4,      /* of a kernel, in addition to its operations */
    STANDALONE_WEIGHT = 40, /* of an operation whose code is large: a sort, a transform ... */
    MIN_SHARD_WEIGHT = 500, /* of a shard: some 100 ms of compile time */
    MAX_WEIGHT = 1 << 20    /* of a kernel */
};

static int64_t operations(const struct block *block)
{
    int64_t count = 0;
    for (const struct op *op = block->first; op && count < MAX_WEIGHT; op = op->next) {
        count++;
        for (int i = 0; i < op->region_count; i++)
            count += operations(op->regions[i]);
    }
    return count;
}

static int64_t weight_of(const struct codegen_kernel *kernel)
{
    bool standalone = kernel->fusion->attrs.fusion.fusion_kind == FUSION_STANDALONE;
    int64_t weight = KERNEL_WEIGHT + (standalone ? STANDALONE_WEIGHT : 0) +
                     operations(kernel->fusion->regions[0]);
    return weight < MAX_WEIGHT ? weight : MAX_WEIGHT;
}

int shards_divide(const struct codegen_request *request, struct shard shards[SHARDS_MAX])
{
    int64_t total = 0, before = 0;
    int count = 0;
    for (int i = 0; i < request->kernel_count; i++)
        total += weight_of(&request->kernels[i]);
    int64_t wanted = total / MIN_SHARD_WEIGHT;
    wanted = wanted < 1 ? 1 : wanted > SHARDS_MAX ? SHARDS_MAX : wanted;
    shards[0] = (struct shard){0, 0};
    for (int i = 0; i < request->kernel_count; i++) {
        if (count + 1 < wanted && shards[count].count && before * wanted >= total * (count + 1))
            shards[++count] = (struct shard){i, 0};
        shards[count].count++;
        before += weight_of(&request->kernels[i]);
    }
    return count + 1;
}
