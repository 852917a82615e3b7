"""A slide that one drive hands over to another on the way, with a load that comes in and a state: motions whose rows change."""
HEAD = "roberval: 1\nspace: planar\ngravity: [0, -10]\n"
RELAY = HEAD + """
bodies: {b: {mass: 2, inertia: 0.1, pose: {at: [0.3, 0]}}}
joints: {rail: {type: prismatic, between: [ground, b]}}
drives:
  a: {coordinate: rail.distance, motion: "0.3 + t^2", active: "t < 0.55"}
  c: {coordinate: rail.distance, motion: "1.1*(t-0.55) + 0.4*(t-0.55)^2", value: here, active: "t >= 0.55"}
loads: {k: {type: force, to: b, value: ["5", 0], active: "rail.distance > 0.5"}}
states: {s: {rate: "rail.distance - s", start: 1}}
motion: {from: 0, to: 1, step: 0.1}
output: {x: rail.distance, v: "rail.distance'"}
"""
