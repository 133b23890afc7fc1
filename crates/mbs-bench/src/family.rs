//! N four-bars in a row, from one text.

/// IFToMM benchmark A02 with N four-bars: the text of `mechanisms/n_four_bar_2.mbs` with another N, called `FourBars<N>`.
pub fn four_bars(n: usize) -> String {
    let text = include_str!("../../../mechanisms/n_four_bar_2.mbs");
    text.replace("const N = 2;", &format!("const N = {n};")).replace("NFourBar2", &format!("FourBars{n}"))
}
