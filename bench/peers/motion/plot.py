"""Work and precision as SVG: a panel for each machine, error to the left, processor time upwards, both by powers of ten."""
import math

WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 220, 50, 30, 60
COLUMNS = 3
COLORS = {"Roberval": "#c0392b", "Simbody": "#2471a3", "MuJoCo": "#7d8c2c"}


def panel(title, curves, x0, y0):
    points = [(e, t) for curve in curves.values() for _, t, e, _ in curve if 0 < e < 1]
    low = math.floor(math.log10(min(t for _, t in points)))
    high = math.ceil(math.log10(max(t for _, t in points)))
    small = math.floor(math.log10(min(e for e, _ in points)))

    def place(error, time):
        return x0 + WIDTH * math.log10(error) / small, y0 + HEIGHT * (high - math.log10(time)) / (high - low)

    out = [f'<text x="{x0}" y="{y0 - 8}" font-weight="bold">{title}</text>', f'<rect x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>']
    for k in range(small, 1, 2):
        x, _ = place(10.0**k, 10.0**low)
        out.append(f'<line x1="{x:.1f}" y1="{y0}" x2="{x:.1f}" y2="{y0 + HEIGHT}" stroke="#eee"/><text x="{x:.1f}" y="{y0 + HEIGHT + 14}" text-anchor="middle">1e{k}</text>')
    for k in range(low, high + 1):
        _, y = place(1, 10.0**k)
        out.append(f'<line x1="{x0}" y1="{y:.1f}" x2="{x0 + WIDTH}" y2="{y:.1f}" stroke="#eee"/><text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">1e{k} s</text>')
    for (program, way), curve in curves.items():
        places = [place(e, t) for _, t, e, _ in curve if 0 < e < 1]
        dash = "" if way in ("explicit", "merson", "rk4") else ' stroke-dasharray="5 3"'
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        out.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[program]}" stroke-width="1.5"{dash}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{COLORS[program]}"/>' for x, y in places]
    return out


def svg(machines):
    rows = -(-len(machines) // COLUMNS)
    width, height = COLUMNS * (WIDTH + GAP) + LEFT, rows * (HEIGHT + GAP) + TOP + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">', f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for k, (title, curves) in enumerate(machines):
        if any(0 < e < 1 for curve in curves.values() for _, _, e, _ in curve):
            out += panel(title, curves, LEFT + (k % COLUMNS) * (WIDTH + GAP), TOP + (k // COLUMNS) * (HEIGHT + GAP))
    x = LEFT
    for program, color in COLORS.items():
        out.append(f'<text x="{x}" y="{height - 12}" fill="{color}" font-weight="bold">{program}</text>')
        x += 90
    out.append(f'<text x="{x}" y="{height - 12}">processor time against error; full: explicit, merson, rk4; dashed: implicit, bdf, euler</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
