#include "compiler/passes/spmd/solve/solve_cbc.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

/* ---- the library ----------------------------------------------------------------------------- */
typedef struct Cbc_Model cbc_model;

/* result, name, parameters: as CBC's header declares them */
#define FUNCTIONS(F)                                                                               \
    F(cbc_model *, Cbc_newModel, (void))                                                           \
    F(void, Cbc_deleteModel, (cbc_model *))                                                        \
    F(void, Cbc_loadProblem,                                                                       \
      (cbc_model *, int, int, const int *, const int *, const double *, const double *,            \
       const double *, const double *, const double *, const double *))                            \
    F(void, Cbc_setInteger, (cbc_model *, int))                                                    \
    F(void, Cbc_setLogLevel, (cbc_model *, int))                                                   \
    F(void, Cbc_setParameter, (cbc_model *, const char *, const char *))                           \
    F(void, Cbc_setMaximumNodes, (cbc_model *, int))                                               \
    F(void, Cbc_setMIPStartI, (cbc_model *, int, const int *, const double *))                     \
    F(int, Cbc_solve, (cbc_model *))                                                               \
    F(int, Cbc_isProvenInfeasible, (cbc_model *))                                                  \
    F(double, Cbc_getBestPossibleObjValue, (cbc_model *))                                          \
    F(double *, Cbc_bestSolution, (cbc_model *))

struct cbc_library {
#define MEMBER(result, name, parameters) result(*name) parameters;
    FUNCTIONS(MEMBER)
#undef MEMBER
};

static struct cbc_library cbc;
static bool is_open;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all calls of CBC */

static bool find(void *library, const char *name, void *out)
{
    void *symbol = dlsym(library, name);
    memcpy(out, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Stays open: the library registers functions to be called when the process ends. */
static void open_library(void)
{
    void *library = dlopen("libCbcSolver.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return;
    is_open = true;
#define FIND(result, name, parameters) is_open &= find(library, #name, &cbc.name);
    FUNCTIONS(FIND)
#undef FIND
}

bool solve_cbc_is_there(void)
{
    pthread_once(&once, open_library);
    return is_open;
}

/* ---- the matrix ------------------------------------------------------------------------------ */
struct entry {
    int row;
    double value;
};

struct matrix { /* by columns */
    struct solve_graph *graph;
    struct arena *arena;
    VEC(int) starts, rows;
    VEC(double) values, costs;
    VEC(double) lower, upper;       /* of rows */
    int *first;                     /* column of each node's first strategy */
    int *memory;                    /* row of each row of memory; -1: not there */
    double *sums;                   /* scratch, 0: of each row of memory */
    VEC(struct entry) * strategies; /* entries of each strategy's column beside its node's row */
    int strategy_count;
    double *strategy_costs;
    int64_t entries;
};

static int add_row(struct matrix *m, double lower, double upper)
{
    VEC_PUSH(m->arena, &m->lower, lower);
    VEC_PUSH(m->arena, &m->upper, upper);
    return (int)m->lower.count - 1;
}

static void add_entry(struct matrix *m, int column, int row, double value)
{
    struct entry entry = {row, value};
    VEC_PUSH(m->arena, &m->strategies[column], entry);
    m->entries++;
}

/* Whether strategy s of the node costs a constant more than `leader` with every partner. */
static bool is_alike(const struct solve_graph *g, const struct graph_edge *edge, int node, int s,
                     int leader, int64_t *more)
{
    int other = g->nodes[solve_graph_other(edge, node)].count;
    bool is_known = false;
    *more = 0;
    for (int t = 0; t < other; t++) {
        int64_t x = *solve_graph_at(g, edge, node, s, t);
        int64_t y = *solve_graph_at(g, edge, node, leader, t);
        if ((x >= SOLVE_FORBIDDEN) != (y >= SOLVE_FORBIDDEN))
            return false;
        if (x >= SOLVE_FORBIDDEN)
            continue;
        if (is_known && x - y != *more)
            return false;
        *more = x - y;
        is_known = true;
    }
    return true;
}

/* The strategies of one side of an edge whose costs are equal but for a constant: kinds[s]; the
 * constant, above that of the first strategy of the kind, becomes a cost of the strategy. Returns
 * the number of kinds; leaders[k]: the first strategy of each. */
static int find_kinds(struct matrix *m, const struct graph_edge *edge, int node, int *kinds,
                      int *leaders)
{
    int found = 0;
    for (int s = 0; s < m->graph->nodes[node].count; s++) {
        int64_t more = 0;
        int kind = 0;
        while (kind < found && !is_alike(m->graph, edge, node, s, leaders[kind], &more))
            kind++;
        kinds[s] = kind;
        if (kind < found)
            m->strategy_costs[m->first[node] + s] += (double)more;
        else
            leaders[found++] = s;
    }
    return found;
}

struct pair_column {
    int rows[2];
    double cost;
};

/* A row for each kind of either side: its strategies, less the pairs that have it. */
static void add_edge(struct matrix *m, const struct graph_edge *edge, struct pair_column **columns,
                     size_t *count, size_t *capacity)
{
    int sides[2] = {edge->a, edge->b}, found[2], first_row[2];
    int kinds[2][SOLVE_MAX_STRATEGIES], leaders[2][SOLVE_MAX_STRATEGIES];
    for (int i = 0; i < 2; i++) {
        found[i] = find_kinds(m, edge, sides[i], kinds[i], leaders[i]);
        first_row[i] = (int)m->lower.count;
        for (int k = 0; k < found[i]; k++)
            add_row(m, 0, 0);
        for (int s = 0; s < m->graph->nodes[sides[i]].count; s++)
            add_entry(m, m->first[sides[i]] + s, first_row[i] + kinds[i][s], 1);
    }
    for (int s = 0; s < found[0]; s++)
        for (int t = 0; t < found[1]; t++) {
            int64_t cost = *solve_graph_at(m->graph, edge, edge->a, leaders[0][s], leaders[1][t]);
            if (cost >= SOLVE_FORBIDDEN)
                continue;
            *columns = vec_reserve_(m->arena, *columns, capacity, *count, sizeof **columns);
            (*columns)[(*count)++] =
                (struct pair_column){{first_row[0] + s, first_row[1] + t}, (double)cost};
            m->entries += 2;
        }
}

static void add_node(struct matrix *m, int node)
{
    int row = add_row(m, 1, 1);
    for (int s = 0; s < m->graph->nodes[node].count; s++) {
        int column = m->first[node] + s;
        m->strategy_costs[column] = (double)m->graph->nodes[node].costs[s];
        add_entry(m, column, row, 1);
    }
}

/* In units of the room, so that coefficients are about 1. */
static void add_memory(struct matrix *m, int node)
{
    const struct graph_node *n = &m->graph->nodes[node];
    VEC(int) touched = {0};
    for (int s = 0; s < n->count; s++) {
        for (size_t u = 0; u < n->uses.count; u++)
            for (int r = n->uses.items[u].first; r <= n->uses.items[u].last; r++) {
                int row = m->memory[r];
                if (row < 0 || !n->uses.items[u].bytes[s])
                    continue;
                if (m->sums[row] == 0)
                    VEC_PUSH(m->arena, &touched, row);
                m->sums[row] +=
                    (double)n->uses.items[u].bytes[s] / (double)(m->graph->problem->limit + 1);
            }
        for (size_t i = 0; i < touched.count; i++) {
            add_entry(m, m->first[node] + s, touched.items[i], m->sums[touched.items[i]]);
            m->sums[touched.items[i]] = 0;
        }
        touched.count = 0;
    }
}

static void add_memory_rows(struct matrix *m, const bool *needed)
{
    const struct solve_problem *problem = m->graph->problem;
    for (int r = 0; r < m->graph->row_count; r++) {
        m->memory[r] = -1;
        if (m->graph->room && needed[r])
            m->memory[r] = add_row(
                m, -INFINITY, ((double)m->graph->room[r] + 0.5) / (double)(problem->limit + 1));
    }
}

static void begin_column(struct matrix *m, double cost)
{
    VEC_PUSH(m->arena, &m->starts, (int)m->rows.count);
    VEC_PUSH(m->arena, &m->costs, cost);
}

static void push_entry(struct matrix *m, int row, double value)
{
    VEC_PUSH(m->arena, &m->rows, row);
    VEC_PUSH(m->arena, &m->values, value);
}

static void write_columns(struct matrix *m, const struct pair_column *pairs, size_t count)
{
    for (int c = 0; c < m->strategy_count; c++) {
        begin_column(m, m->strategy_costs[c]);
        for (size_t i = 0; i < m->strategies[c].count; i++)
            push_entry(m, m->strategies[c].items[i].row, m->strategies[c].items[i].value);
    }
    for (size_t i = 0; i < count; i++) {
        begin_column(m, pairs[i].cost);
        push_entry(m, pairs[i].rows[0], -1);
        push_entry(m, pairs[i].rows[1], -1);
    }
    VEC_PUSH(m->arena, &m->starts, (int)m->rows.count);
}

/* False if it has more entries than the limit. */
static bool build(struct matrix *m, const bool *needed, int64_t limit)
{
    struct solve_graph *g = m->graph;
    struct pair_column *pairs = NULL;
    size_t count = 0, capacity = 0;
    m->first = ARENA_ARRAY(m->arena, int, (size_t)g->problem->node_count + 1);
    m->memory = ARENA_ARRAY(m->arena, int, (size_t)g->row_count + 1);
    for (int i = 0; i < g->problem->node_count; i++) {
        m->first[i] = m->strategy_count;
        m->strategy_count += g->nodes[i].count;
    }
    m->strategies = arena_array(m->arena, (size_t)m->strategy_count + 1, sizeof *m->strategies);
    m->strategy_costs = ARENA_ARRAY(m->arena, double, (size_t)m->strategy_count + 1);
    add_memory_rows(m, needed);
    m->sums = ARENA_ARRAY(m->arena, double, m->lower.count + 1);
    for (int i = 0; i < g->problem->node_count && m->entries <= limit; i++)
        if (g->nodes[i].count) {
            add_node(m, i);
            add_memory(m, i);
        }
    for (size_t i = 0; i < g->edges.count && m->entries <= limit; i++)
        if (!g->edges.items[i].is_gone)
            add_edge(m, &g->edges.items[i], &pairs, &count, &capacity);
    if (m->entries > limit)
        return false;
    write_columns(m, pairs, count);
    return true;
}

/* ---- solving --------------------------------------------------------------------------------- */
struct run {
    const struct solve_options *options;
    const int *positions; /* a first answer; NULL: none */
    struct cbc_result *out;
};

struct start { /* the first answer as columns that are 1 */
    int count, *columns;
    double *ones;
};

static struct start start_of(const struct matrix *m, const int *positions)
{
    size_t nodes = (size_t)m->graph->problem->node_count + 1;
    struct start start = {0, ARENA_ARRAY(m->arena, int, nodes),
                          ARENA_ARRAY(m->arena, double, nodes)};
    for (int i = 0; positions && i < m->graph->problem->node_count; i++)
        if (m->graph->nodes[i].count) {
            start.columns[start.count] = m->first[i] + positions[i];
            start.ones[start.count++] = 1;
        }
    return start;
}

static void read_solution(const struct matrix *m, const double *solution, int *positions)
{
    for (int i = 0; i < m->graph->problem->node_count; i++) {
        positions[i] = 0;
        for (int s = 1; s < m->graph->nodes[i].count; s++)
            if (solution[m->first[i] + s] > solution[m->first[i] + positions[i]])
                positions[i] = s;
    }
}

static void set_limits(cbc_model *model, const struct run *run)
{
    cbc.Cbc_setLogLevel(model, 0);
    cbc.Cbc_setParameter(model, "maxIterations", "2000000");
    cbc.Cbc_setParameter(model, "ratioGap", "0");
    cbc.Cbc_setParameter(model, "allowableGap", "0");
    cbc.Cbc_setParameter(model, "increment", "0.9");
    cbc.Cbc_setMaximumNodes(model, run->options->cbc_nodes);
}

/* Under the lock, so nothing here allocates from the arena. */
static void solve(const struct matrix *m, const struct run *run, const struct start *start,
                  cbc_model *model)
{
    cbc.Cbc_loadProblem(model, (int)m->costs.count, (int)m->lower.count, m->starts.items,
                        m->rows.items, m->values.items, NULL, NULL, m->costs.items, m->lower.items,
                        m->upper.items);
    for (int c = 0; c < m->strategy_count; c++)
        cbc.Cbc_setInteger(model, c);
    set_limits(model, run);
    if (start->count)
        cbc.Cbc_setMIPStartI(model, start->count, start->columns, start->ones);
    cbc.Cbc_solve(model);
    const double *solution = cbc.Cbc_bestSolution(model);
    run->out->is_infeasible = cbc.Cbc_isProvenInfeasible(model) && !run->positions;
    run->out->is_found = solution != NULL;
    if (solution)
        read_solution(m, solution, run->out->positions);
    if (!run->out->is_infeasible)
        run->out->bound =
            m->graph->cost + (int64_t)ceil(cbc.Cbc_getBestPossibleObjValue(model) - 1e-3);
}

static bool add_exceeded(struct solve_graph *graph, const int *positions, bool *needed)
{
    bool added = false;
    int64_t *load = ARENA_ARRAY(graph->arena, int64_t, (size_t)graph->row_count + 1);
    solve_graph_load(graph, positions, load);
    for (int r = 0; graph->room && r < graph->row_count; r++)
        if (load[r] > graph->room[r] && !needed[r])
            added = needed[r] = true;
    return added;
}

static int64_t cost_of(const struct solve_graph *graph, const int *positions)
{
    int64_t cost = graph->cost;
    for (int i = 0; i < graph->problem->node_count; i++)
        if (graph->nodes[i].count)
            cost = solve_add(cost, graph->nodes[i].costs[positions[i]]);
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct graph_edge *edge = &graph->edges.items[i];
        if (!edge->is_gone)
            cost = solve_add(cost, *solve_graph_at(graph, edge, edge->a, positions[edge->a],
                                                   positions[edge->b]));
    }
    return cost;
}

/* One solution with these rows of memory; false if the problem is too large for CBC. */
static bool solve_once(struct solve_graph *graph, const bool *needed, const struct run *run)
{
    struct matrix m = {.graph = graph, .arena = graph->arena};
    if (!build(&m, needed, run->options->cbc_entries))
        return false;
    const struct start start = start_of(&m, run->positions);
    pthread_mutex_lock(&lock);
    cbc_model *model = cbc.Cbc_newModel();
    solve(&m, run, &start, model);
    cbc.Cbc_deleteModel(model);
    pthread_mutex_unlock(&lock);
    return true;
}

struct cbc_result solve_cbc_run(struct solve_graph *graph, const struct solve_options *options,
                                const int *positions, const bool *binding)
{
    enum { ROUNDS = 12 };
    struct cbc_result out = {.bound = graph->cost};
    const struct run run = {options, positions, &out};
    size_t rows = (size_t)graph->row_count + 1;
    bool *needed = arena_copy(graph->arena, binding, rows * sizeof *binding);
    out.positions = ARENA_ARRAY(graph->arena, int, (size_t)graph->problem->node_count + 1);
    for (int round = 0; round < ROUNDS; round++) {
        if (!solve_once(graph, needed, &run) || !out.is_found) {
            out.is_found = false;
            return out;
        }
        if (!add_exceeded(graph, out.positions, needed)) {
            out.cost = cost_of(graph, out.positions);
            return out;
        }
    }
    out.is_found = false;
    return out;
}
