"""What the peers of scored_file.py share: constants and the last steps on a handful of numbers.

Why: a decile's lift needs no more than the ten tied blocks in which the deciles end, so every peer collects those
blocks in its own way and leaves the rest to this file. Nothing here is heavy to import.
Versions: Python 3.11.
"""

CONTACT_COST = 50
CLIP = 1e-15


def captured(blocks, tenth, rows):
    """Positives in the top `tenth` tenths; inside a block of equal scores they are spread evenly."""
    wanted = tenth * rows / 10
    for seen, size, hits, positives in blocks:
        if seen - size < wanted <= seen:
            return hits - positives + positives * (wanted - (seen - size)) / size
    raise ValueError(f"no block holds the end of decile {tenth}")


def decile_lifts(blocks, rows, positives):
    """Lift of each tenth of the list. A block is (rows seen with it, its rows, positives seen with it, its positives)."""
    shares = [0.0, *(captured(blocks, tenth, rows) / positives for tenth in range(1, 11))]
    return [10 * (right - left) for left, right in zip(shares, shares[1:])]


def judgement(auroc, ks, ap, brier, log_loss, lifts, max_profit, max_profit_rows, rows, points):
    """The answer every peer gives."""
    return {
        "auroc": float(auroc),
        "ks": float(ks),
        "ap": float(ap),
        "brier": float(brier),
        "log_loss": float(log_loss),
        "lift_top_decile": lifts[0],
        "lifts": lifts,
        "max_profit": float(max_profit),
        "max_profit_share": float(max_profit_rows / rows),
        "points": int(points),
    }
