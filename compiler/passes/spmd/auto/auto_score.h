/* auto_score.h: what answers cost by the model that also makes the final plan: each is written to a
 * copy of the module, which is partitioned and planned as the module itself would be. Answers whose
 * shardings are equal are planned once. The work is counted in operations planned; when the budget
 * is spent, no answer is planned any more. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SCORE_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SCORE_H

#include "compiler/passes/spmd/auto/auto_program.h"

struct auto_cost {
    double seconds;
    uint64_t peak_bytes;
    bool
        is_planned; /* false: the compiler rejects the program so sharded, or the budget is spent */
};

struct auto_scored {
    struct auto_answer answer;
    struct auto_cost cost;
    const char *name; /* static: how the search came to it */
};

struct auto_planner {
    /* Plans a module with shardings on its types, which it may change. Errors: of the compiler. */
    struct error *(*plan)(void *context, struct module *module, struct auto_cost *out);
    void *context;                    /* borrowed */
    const struct auto_prices *prices; /* for the integer program, which is not used without them */
    uint64_t memory_bytes;            /* that a plan may need; 0: any number */
    bool explains;                    /* plans changes of the answer, too (auto_explain.h) */
};

struct auto_score {
    const struct module *module;
    const struct auto_classes *classes;
    const struct mesh *mesh;
    const struct auto_planner *planner;
    struct map *known;   /* struct auto_cost by digest */
    int64_t budget;      /* operations that may still be planned */
    int planned;         /* answers */
    struct error *error; /* of the first answer that could not be planned; owned until taken */
    void **inner;        /* the arena of a copy, so that it is freed when memory is exhausted */
};

struct auto_score auto_score_create(const struct module *module, const struct auto_classes *classes,
                                    const struct mesh *mesh, const struct auto_planner *planner,
                                    int64_t budget);

/* The work of one plan, in operations. */
int64_t auto_score_work(const struct auto_classes *classes);
bool auto_score_is_spent(const struct auto_score *score);
struct auto_cost auto_score_of(struct auto_score *score, const struct auto_answer *answer);

/* Whether `a` is better: it fits and the other does not, or it exceeds the memory by less, or both
 * fit and it takes less time, or the same time and less memory. */
bool auto_score_is_better(const struct auto_score *score, struct auto_cost a, struct auto_cost b);
bool auto_score_fits(const struct auto_score *score, struct auto_cost cost);

#endif
