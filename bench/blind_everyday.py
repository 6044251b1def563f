"""blind_everyday.py: rows of the long tail written before any of them was measured (snippets.py): everyday wrangling of data
in the manner of NumPy and pandas: groups, histograms, moving averages, percentiles, one-hot columns, joins by sorted search,
distances of pairs, masks, missing values, dates, strings as integers, ranks, cross-tabulations, rolling windows,
resampling."""
import jax
import jax.numpy as jnp
from jax import lax

from snippets import row


# ---- groups ----------------------------------------------------------------------------------------------------------

@row("n(500), i(12, 500)")
@row("n(200000), i(365, 200000)", "lambda v, g: {0}(v, g, 365)")
def group_describe(values, groups, count=12):
    """Count, mean, standard deviation, minimum and maximum of each group."""
    size = jax.ops.segment_sum(jnp.ones_like(values), groups, count)
    mean = jax.ops.segment_sum(values, groups, count) / jnp.maximum(size, 1)
    squares = jax.ops.segment_sum((values - mean[groups]) ** 2, groups, count)
    std = jnp.where(size > 1, jnp.sqrt(squares / jnp.maximum(size - 1, 1)), jnp.nan)
    low, high = jax.ops.segment_min(values, groups, count), jax.ops.segment_max(values, groups, count)
    return size, mean, jnp.nan_to_num(std), jnp.where(size > 0, low, 0), jnp.where(size > 0, high, 0)


@row("n(3000, 4), i(40, 3000)")
def group_zscore_and_share(columns, group):
    one_hot = jax.nn.one_hot(group, 40)
    size = one_hot.sum(0)[:, None]
    mean = one_hot.T @ columns / size
    std = jnp.sqrt(one_hot.T @ (columns - mean[group]) ** 2 / size)
    total = one_hot.T @ jnp.abs(columns)
    return (columns - mean[group]) / std[group], 100 * jnp.abs(columns) / total[group]


@row("i(500, 20000), n(20000)")
def group_medians(group, values):
    """Sort by group and value, then pick the middles between the groups' bounds."""
    order = jnp.lexsort((values, group))
    g, v = group[order], values[order]
    k = 500
    start, stop = jnp.searchsorted(g, jnp.arange(k), side="left"), jnp.searchsorted(g, jnp.arange(k), side="right")
    size = stop - start
    a, b = v[jnp.clip(start + (size - 1) // 2, 0, len(v) - 1)], v[jnp.clip(start + size // 2, 0, len(v) - 1)]
    return jnp.where(size > 0, (a + b) / 2, 0.0), size


@row("i(50, 2000), i(100, 2000)")
def first_and_last_per_customer(customer, amount):
    order = jnp.argsort(customer, stable=True)
    c = customer[order]
    first = jnp.concatenate([jnp.array([True]), c[1:] != c[:-1]])
    last = jnp.roll(first, -1)
    running = jnp.cumsum(amount[order])
    before = lax.cummax(jnp.where(first, running - amount[order], 0))
    ids = jnp.unique(customer, size=50, fill_value=-1)
    return ids, first.sum(), jnp.where(last, running - before, 0), jnp.where(first, order, -1)


# ---- histograms, percentiles -----------------------------------------------------------------------------------------

@row("n(300000)")
def histogram_with_density(x):
    edges = jnp.linspace(-4, 4, 41)
    counts, _ = jnp.histogram(x, bins=edges)
    density, _ = jnp.histogram(x, bins=edges, density=True)
    return counts, density, jnp.cumsum(counts) / x.size, edges[counts.argmax()]


@row("n(5000), n(5000, seed=1), abs(n(5000))")
def weighted_heat_map(x, y, w):
    h, xe, ye = jnp.histogram2d(x, y, bins=(24, 16), range=((-3, 3), (-2, 2)), weights=w)
    counts = jnp.histogram2d(x, y, bins=(24, 16), range=((-3, 3), (-2, 2)))[0]
    return h / jnp.maximum(counts, 1), (h / h.sum()).sum(0), xe[1:] - xe[:-1]


@row("n(24, 1000)", "vmap({0})")
def winsorize_and_outliers(x):
    q1, median, q3 = jnp.percentile(x, jnp.array([25.0, 50, 75]))
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    deviation = jnp.median(jnp.abs(x - median)) * 1.4826
    return jnp.clip(x, low, high), (x < low) | (x > high), (x - median) / deviation


@row("n(900), abs(n(900)) + .1")
def weighted_quantiles(x, w):
    order = x.argsort()
    c = jnp.cumsum(w[order])
    at = (c - 0.5 * w[order]) / c[-1]
    return jnp.interp(jnp.array([0.05, 0.25, 0.5, 0.75, 0.95]), at, x[order])


@row("n(10000, 3)")
def decile_table(columns):
    """Bins of equal counts of the first column and means of others in them."""
    edges = jnp.quantile(columns[:, 0], jnp.linspace(0, 1, 11))
    label = jnp.clip(jnp.digitize(columns[:, 0], edges[1:-1]), 0, 9)
    sums = jnp.zeros((10, 3)).at[label].add(columns)
    return sums / jnp.bincount(label, length=10)[:, None], label


@row("i(256, 480, 640).astype('uint8')")
def byte_histogram_and_entropy(x):
    counts = jnp.bincount(x.ravel(), length=256)
    p = counts / x.size
    return counts, -jnp.sum(jnp.where(p > 0, p * jnp.log2(jnp.where(p > 0, p, 1)), 0)), counts.argmax(), (counts == 0).sum()


# ---- moving and rolling windows --------------------------------------------------------------------------------------

@row("n(20000)")
def moving_averages(x):
    """Simple by cumulative sums, weighted by a convolution, centered with partial ends."""
    c = jnp.cumsum(jnp.insert(x, 0, 0.0))
    simple = (c[7:] - c[:-7]) / 7
    weighted = jnp.convolve(x, jnp.arange(1, 8) / 28.0, mode="valid")
    centered = jnp.convolve(x, jnp.ones(5), mode="same") / jnp.convolve(jnp.ones_like(x), jnp.ones(5), mode="same")
    return simple, weighted, centered


@row("abs(n(1200, 5)) + 50.")
def rolling_beta_and_volatility(prices):
    returns = jnp.diff(jnp.log(prices), axis=0)
    windows = returns[jnp.arange(1199 - 59)[:, None] + jnp.arange(60)]
    centered = windows - windows.mean(1, keepdims=True)
    covariance = jnp.einsum("twi,tw->ti", centered, centered[..., 0]) / 59
    return covariance / covariance[:, :1], windows.std(axis=1, ddof=1) * jnp.sqrt(252.0)


@row("100 + jnp.cumsum(n(500))")
def exponential_averages_and_rsi(close):
    def ewm(x, alpha):
        return lax.scan(lambda m, v: ((1 - alpha) * m + alpha * v,) * 2, x[0], x)[1]
    change = jnp.diff(close)
    gain, loss = ewm(jnp.maximum(change, 0), 1 / 14), ewm(jnp.maximum(-change, 0), 1 / 14)
    macd = ewm(close, 2 / 13) - ewm(close, 2 / 27)
    return 100 - 100 / (1 + gain / (loss + 1e-6)), macd, macd - ewm(macd, 0.2)


@row("100 + jnp.cumsum(n(2500)), 100 + jnp.cumsum(n(2500, seed=1))")
def channels_and_drawdown(high, low):
    high, low = jnp.maximum(high, low), jnp.minimum(high, low)
    top = lax.reduce_window(high, -jnp.inf, lax.max, (20,), (1,), [(19, 0)])
    bottom = lax.reduce_window(low, jnp.inf, lax.min, (20,), (1,), [(19, 0)])
    peak = lax.associative_scan(jnp.maximum, high)
    return top, bottom, (low / peak - 1).min(), jnp.flatnonzero(high >= top, size=50, fill_value=-1)


@row("n(96, 40)")
def rolling_median(x):
    padded = jnp.pad(x, ((2, 2), (0, 0)), mode="edge")
    return jnp.median(jnp.stack([padded[k : k + 96] for k in range(5)]), axis=0)


# ---- missing values, masks -------------------------------------------------------------------------------------------

@row("jnp.where(n(50, 6, seed=3) > 1, jnp.nan, n(50, 6))")
def impute_and_standardize(table):
    mean, std = jnp.nanmean(table, axis=0), jnp.nanstd(table, axis=0)
    missing = jnp.isnan(table)
    filled = jnp.where(missing, mean, table)
    return (filled - mean) / std, missing.mean(0), jnp.isnan(table).any(1).sum()


@row("jnp.where(n(300, seed=2) > .8, jnp.nan, n(300)), jnp.arange(300.)")
@row("jnp.where(n(30, 1000, seed=2) > .8, jnp.nan, n(30, 1000)), jnp.arange(1000.)", "vmap({0}, (0, None))")
def interpolate_gaps(y, t):
    """Linear between known neighbours, the nearest known value at the ends."""
    known = ~jnp.isnan(y)
    at = jnp.arange(y.size)
    left = lax.cummax(jnp.where(known, at, -1))
    right = lax.cummin(jnp.where(known, at, y.size), reverse=True)
    a, b = jnp.where(left < 0, right, left), jnp.where(right >= y.size, left, right)
    share = jnp.where(a == b, 0.0, (t - t[a]) / jnp.maximum(t[b] - t[a], 1e-6))
    return y[a] * (1 - share) + y[b] * share


@row("jnp.where(n(200, 8, seed=5) > 1.2, jnp.nan, n(200, 8))")
def pairwise_complete_correlation(x):
    ok = (~jnp.isnan(x)).astype(x.dtype)
    z = jnp.nan_to_num(x)
    count = ok.T @ ok
    sums, squares, products = z.T @ ok, (z * z).T @ ok, z.T @ z
    covariance = products - sums * sums.T / count
    return covariance / jnp.sqrt((squares - sums**2 / count) * (squares - sums**2 / count).T), count.astype(jnp.int32)


@row("n(20000), i(100, 20000)")
def keep_valid_rows(reading, quality):
    """Valid rows first in order, with a padded tail; consecutive repeats dropped."""
    valid = (quality > 20) & (jnp.abs(reading) < 2.5)
    order = jnp.argsort(~valid, stable=True)
    packed = jnp.where(jnp.arange(reading.size) < valid.sum(), reading[order], 0)
    at = jnp.where(valid, jnp.cumsum(valid) - 1, reading.size)
    return packed, jnp.zeros_like(quality).at[at].set(quality, mode="drop"), valid.sum()


@row("n(700, 11), i(2, 700, 11) == 0")
def masked_statistics(x, mask):
    mean = jnp.mean(x, axis=0, where=mask)
    return (mean, jnp.var(x, axis=0, where=mask), jnp.max(x, axis=1, where=mask, initial=-99.0),
            jnp.sum(jnp.select([x < -1, x > 1], [x + 1, x - 1], 0.0), where=mask), jnp.count_nonzero(mask, axis=1))


# ---- one-hot, strings as integers, dates -----------------------------------------------------------------------------

@row("i(7, 300), i(24, 300), n(300, 3)")
def design_matrix_and_fit(weekday, hour, features):
    """Dummies without the first level, an interaction, an intercept, then ridge regression."""
    day, clock = jax.nn.one_hot(weekday, 7)[:, 1:], jax.nn.one_hot(hour // 4, 6)[:, 1:]
    weekend = (weekday >= 5).astype(jnp.float32)[:, None]
    x = jnp.hstack([jnp.ones((len(day), 1)), day, clock, features, features * weekend])
    y = jnp.sin(features).sum(1) + 0.1 * hour
    beta = jnp.linalg.solve(x.T @ x + 1.0 * jnp.eye(x.shape[1]), x.T @ y)
    residual = y - x @ beta
    return beta, 1 - (residual**2).sum() / ((y - y.mean()) ** 2).sum()


@row("i(95, 8000, 12) + 32")
def normalize_fixed_width_names(text):
    """Lower case, letters and digits moved to the left, a polynomial hash modulo a prime."""
    lower = jnp.where((text >= 65) & (text <= 90), text + 32, text)
    keep = ((lower >= 97) & (lower <= 122)) | ((lower >= 48) & (lower <= 57))
    order = jnp.argsort(~keep, axis=1, stable=True)
    packed = jnp.where(jnp.sort(~keep, axis=1), 0, jnp.take_along_axis(lower, order, axis=1))
    code = jnp.zeros(len(text), jnp.int32)
    for k in range(text.shape[1]):
        code = (code * 131 + packed[:, k]) % 1000003
    return packed.astype(jnp.uint8), keep.sum(1), code


@row("i(10, 600, 10) + 48")
def parse_prices(digits):
    """Text of the form ddddd.dd with a check digit by Luhn's rule."""
    d = digits - 48
    value = d[:, :5] @ jnp.array([10000, 1000, 100, 10, 1]) + (d[:, 6:8] @ jnp.array([10, 1])) / 100
    double = jnp.where(jnp.arange(9) % 2 == 0, 2 * d[:, :9], d[:, :9])
    luhn = (10 - jnp.where(double > 9, double - 9, double).sum(1) % 10) % 10
    return value, luhn == d[:, 9], jnp.round(value * 1.19, 2)


@row("i(40000, 50000)")
def calendar_columns(days):
    """Year, month, day, weekday, day of the year and quarter of days since 1970."""
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    day, month = doy - (153 * mp + 2) // 5 + 1, jnp.where(mp < 10, mp + 3, mp - 9)
    year = yoe + era * 400 + (month <= 2)
    leap = ((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0)
    before = jnp.array([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])
    return year, month, day, (days + 3) % 7, before[month - 1] + day + (leap & (month > 2)), (month - 1) // 3 + 1


@row("i(1 << 30, 2000), 3600 * (i(3, 2000) - 1)")
def timestamps_to_local_parts(seconds, offset):
    local = seconds + offset
    day, rest = jnp.divmod(local, 86400)
    hour, rest = jnp.divmod(rest, 3600)
    minute, second = rest // 60, rest % 60
    busy = (hour >= 9) & (hour < 17) & ((day + 3) % 7 < 5)
    packed = (hour << 12) | (minute << 6) | second
    angle = 2 * jnp.pi * hour / 24
    return packed, busy, jnp.stack([jnp.sin(angle), jnp.cos(angle)], -1), jnp.bincount(hour, weights=busy * 1.0, length=24)


@row("i(36, 3000), i(36, 3000)[::-1], 500. + i(900, 3000)")
def cohort_retention(first_month, month, spent):
    """Share of each cohort that is active after some months, and money per cohort."""
    start = jnp.minimum(first_month, month)
    age = month - start
    active = jnp.zeros((36, 36)).at[start, age].add(1.0)
    revenue = jnp.zeros((36, 36)).at[start, age].add(spent)
    return jnp.round(100 * active / jnp.maximum(active[:, :1], 1), 1), jnp.cumsum(revenue, axis=1)


# ---- joins, ranks, cross-tabulation ----------------------------------------------------------------------------------

@row("jnp.sort(i(10000000, 50000)), n(50000), i(10000000, 100000)")
def as_of_join(quote_time, price, trade_time):
    """The last quote at or before each trade, and the quote nearest to it in time."""
    at = jnp.searchsorted(quote_time, trade_time, side="right") - 1
    last = jnp.where(at >= 0, price[at], 0.0)
    low, high = jnp.maximum(at, 0), jnp.minimum(at + 1, quote_time.size - 1)
    nearer = jnp.abs(quote_time[high] - trade_time) < jnp.abs(trade_time - quote_time[low])
    return last, price[jnp.where(nearer, high, low)], trade_time - quote_time[low]


@row("jnp.arange(0, 3000, 3), i(50, 1000), i(3000, 5000)")
def left_join_by_key(key_right, value_right, key_left):
    at = jnp.clip(jnp.searchsorted(key_right, key_left, method="sort"), 0, key_right.size - 1)
    found = key_right[at] == key_left
    unmatched = jnp.setdiff1d(key_left[:100], key_right, size=40, fill_value=-1)
    return jnp.where(found, value_right[at], -1), found.mean(), unmatched


@row("i(1000, 30000)")
def ranks_of_all_kinds(x):
    """Minimal, maximal, average, dense and ordinal ranks and percentiles."""
    s = jnp.sort(x)
    low, high = jnp.searchsorted(s, x, side="left"), jnp.searchsorted(s, x, side="right")
    dense = jnp.cumsum(jnp.concatenate([jnp.zeros(1, jnp.int32), (s[1:] != s[:-1]).astype(jnp.int32)]))
    order = jnp.argsort(x)
    ordinal = jnp.zeros_like(x).at[order].set(jnp.arange(x.size))
    return low + 1, high, (low + 1 + high) / 2, dense[low] + 1, ordinal + 1, high / x.size


@row("i(40, 400000), i(25, 400000)[::-1]", "lambda a, b: {0}(a, b, 40, 25)")
def cross_tabulation(a, b, rows=5, columns=9):
    table = jnp.bincount(a * columns + b, length=rows * columns).reshape(rows, columns)
    expected = jnp.outer(table.sum(1), table.sum(0)) / table.sum()
    chi2 = jnp.sum((table - expected) ** 2 / jnp.maximum(expected, 1e-3))
    cramer = jnp.sqrt(chi2 / a.size / (min(rows, columns) - 1))
    return jnp.pad(table, ((0, 1), (0, 1))).at[-1, :-1].set(table.sum(0)), table / table.sum(1, keepdims=True), chi2, cramer


@row("n(150, 7), i(4, 150)")
def rank_correlations_and_anova(x, group):
    ranks = x.argsort(0).argsort(0) + 1.0
    spearman = jnp.corrcoef(ranks, rowvar=False)
    size = jnp.bincount(group, length=4)
    mean = jnp.zeros((4, 7)).at[group].add(x) / size[:, None]
    between = (size[:, None] * (mean - x.mean(0)) ** 2).sum(0) / 3
    within = ((x - mean[group]) ** 2).sum(0) / 146
    return spearman, between / within


@row("i(200, 3000), i(80, 3000)[::-1]")
def most_common_items(user, item):
    counts = jnp.zeros((200, 80), jnp.int32).at[user, item].add(1)
    best, which = lax.top_k(counts, 3)
    together = counts.T @ counts
    together = together - jnp.diag(jnp.diag(together))
    values, frequency = jnp.unique_counts(item, size=80, fill_value=-1)
    return which, best, jnp.argmax(together, 1), values[jnp.argsort(-frequency, stable=True)[:10]]


# ---- distances, resampling -------------------------------------------------------------------------------------------

@row("n(40, 3), n(25, 3, seed=1)")
@row("n(600, 10), n(200, 10, seed=1)")
def nearest_neighbors_of_many_metrics(a, b):
    d = a[:, None, :] - b[None, :, :]
    euclidean = jnp.sqrt((d * d).sum(-1))
    manhattan, chebyshev = jnp.abs(d).sum(-1), jnp.abs(d).max(-1)
    cosine = 1 - (a @ b.T) / (jnp.linalg.norm(a, axis=1)[:, None] * jnp.linalg.norm(b, axis=1))
    return euclidean.min(1), euclidean.argmin(1), manhattan.min(0), chebyshev.mean(), cosine.max(1)


@row("n(600, 2) * 20., n(600)")
def inverse_distance_map(stations, values):
    gy, gx = jnp.mgrid[-30:31:2, -30:31:2]
    grid = jnp.column_stack([gx.ravel(), gy.ravel()]).astype(jnp.float32)
    d2 = ((grid[:, None] - stations) ** 2).sum(-1)
    near, which = lax.top_k(-d2, 8)
    w = 1 / (0.5 - near)
    return ((w * values[which]).sum(1) / w.sum(1)).reshape(31, 31)


@row("n(1440, 3)")
def minutes_to_hours(x):
    """Open, high, low, close and the mean of blocks of sixty rows; the hourly means stretched back."""
    blocks = x.reshape(-1, 60, x.shape[1])
    mean = blocks.mean(1)
    anomaly = x - jnp.repeat(mean, 60, axis=0)
    return blocks[:, 0], blocks.max(1), blocks.min(1), blocks[:, -1], mean, (anomaly**2).mean(0)


@row("jnp.sort(abs(n(500)) * 40), n(500)")
def irregular_series_on_grid(t, y):
    """Interpolated, step-wise and bin-averaged values on a uniform grid."""
    grid = jnp.linspace(0, 60, 241)
    previous = y[jnp.clip(jnp.searchsorted(t, grid, side="right") - 1, 0)]
    cell = jnp.floor(t * 4).astype(jnp.int32)
    total, count = jnp.zeros(240).at[cell].add(y, mode="drop"), jnp.zeros(240).at[cell].add(1.0, mode="drop")
    return jnp.interp(grid, t, y, left=0.0, right=0.0), previous, total / jnp.maximum(count, 1)


@row("n(24 * 70)")
def seasonal_profile_and_anomalies(x):
    """A daily profile, a trend by a centered mean and autocorrelations."""
    trend = jnp.convolve(jnp.pad(x, 12, mode="edge"), jnp.ones(25) / 25, mode="valid")
    detrended = x - trend
    profile = detrended.reshape(70, 24).mean(0)
    residual = detrended - jnp.tile(profile - profile.mean(), 70)
    z = residual - residual.mean()
    correlation = jnp.array([jnp.vdot(z[: z.size - k], z[k:]) for k in range(1, 13)]) / jnp.vdot(z, z)
    return profile, jnp.abs(residual) > 3 * residual.std(), correlation


@row("abs(n(900)) * 10, i(7, 900) > 0")
def streaks_and_sessions(gap, active):
    """Lengths of current runs by a scan, sessions split where a gap is long."""
    def count(run, on):
        run = jnp.where(on, run + 1, 0)
        return run, run
    longest, runs = lax.scan(count, 0, active)
    session = jnp.cumsum(gap > 15.0)
    length = jax.ops.segment_sum(gap, session, num_segments=200, indices_are_sorted=True)
    changes = jnp.nonzero(jnp.diff(active.astype(jnp.int32)), size=100, fill_value=899)[0]
    return runs.max(), longest, session, length, jnp.diff(changes)


ROWS = [
    "lambda x: (x - x.min(0)) / jnp.ptp(x, axis=0) @@ n(150, 4)",
    "lambda x: jnp.round(jnp.cov(x, rowvar=False), 3) @@ n(5000, 6)",
    "lambda x, y: jnp.polyfit(x, y, 2) @@ jnp.linspace(-1, 1, 80), n(80)",
    "lambda t: jnp.stack([jnp.roll(t, k).at[:k].set(0.) for k in (1, 2, 7, 28)], -1) @@ n(10000)",
    "lambda a, b: (jnp.isin(a, b).sum(), jnp.intersect1d(a, b, size=300, fill_value=-1))"
    " @@ i(5000, 2000), i(5000, 900)[::-1] + 7",
    "lambda y, p: (lambda t: t.at[y, p].add(1) / jnp.maximum(jnp.bincount(y, length=10), 1)[:, None])(jnp.zeros((10, 10)))"
    " @@ i(10, 5000), i(10, 5000)[::-1]",
    "f64: lambda rate, cash: lax.fori_loop(0, 8, lambda _, r: r - jnp.polyval(cash, 1 / (1 + r)) * .01, rate)"
    " @@ .1, n(24, dtype='float64')",
]
