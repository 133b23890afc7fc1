//! Styles and scripts of pages, for the plane and for space. Both share plots, tables and controls.

/// Styles and scripts of a page.
pub(super) struct Parts {
    pub(super) styles: &'static [&'static str],
    /// Scripts in the order in which they run, in one scope.
    pub(super) scripts: &'static [&'static str],
    /// Help for keys and pointers.
    pub(super) hint: &'static str,
}

pub(super) const PLANAR: Parts = Parts {
    styles: &[include_str!("style.css")],
    scripts: &[
        include_str!("data.js"),
        include_str!("infer.js"),
        include_str!("curves.js"),
        include_str!("model.js"),
        include_str!("reactions.js"),
        include_str!("canvas.js"),
        include_str!("arrows.js"),
        include_str!("outlines.js"),
        include_str!("stage.js"),
        include_str!("loads.js"),
        include_str!("hand.js"),
        include_str!("legend.js"),
        include_str!("plots.js"),
        include_str!("polar.js"),
        include_str!("orders.js"),
        include_str!("cycle.js"),
        include_str!("events.js"),
        include_str!("modes.js"),
        include_str!("player.js"),
    ],
    hint: "Space plays, ← and → step, F fits the view, R shows or hides reactions. Scroll or pinch to zoom, drag to pan; click in a plot \
           to go to that time.",
};

pub(super) const SPATIAL: Parts = Parts {
    styles: &[include_str!("style.css"), include_str!("space/style.css")],
    scripts: &[
        include_str!("data.js"),
        include_str!("space/vectors.js"),
        include_str!("space/model.js"),
        include_str!("space/joints.js"),
        include_str!("space/meshes.js"),
        include_str!("space/bodies.js"),
        include_str!("reactions.js"),
        include_str!("canvas.js"),
        include_str!("arrows.js"),
        include_str!("space/camera.js"),
        include_str!("space/raster.js"),
        include_str!("space/ground.js"),
        include_str!("space/stage.js"),
        include_str!("space/loads.js"),
        include_str!("space/orbit.js"),
        include_str!("legend.js"),
        include_str!("plots.js"),
        include_str!("polar.js"),
        include_str!("orders.js"),
        include_str!("cycle.js"),
        include_str!("events.js"),
        include_str!("modes.js"),
        include_str!("player.js"),
    ],
    hint: "Drag to orbit, with shift to pan, scroll or pinch to zoom, double-click or F for the first view; 1, 2, 3 look from the front, the \
           side and above, shift and arrows turn. Space plays, ← and → step, R shows or hides reactions; click in a plot to go to that time.",
};
