//! Shapes of the kernels for products and attention, by class of adapter. Every shape is right on every adapter; they differ in speed.

/// What kind of adapter runs the kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A driver that computes on the CPU: barriers and loads are dear, arithmetic is not.
    Software,
    /// Shares its memory with the CPU; few registers a thread.
    Integrated,
    /// Has memory of its own, and many threads to feed.
    Discrete,
    /// Does not say.
    Unknown,
}

/// Shapes, by class or as tried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// Of products for many tokens.
    pub tile: Tile,
    /// Threads that a product for few tokens should keep busy: as many share rows as that takes. None: every thread has
    /// rows of its own.
    pub threads: Option<u32>,
    /// True: each thread attends for queries of its own, as suits a CPU. False: workgroups share tiles of keys.
    pub attends_alone: bool,
}

/// What a workgroup of products for many tokens makes: 64 rows for `8 * cols` tokens, `16 * units` values at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Tokens of a thread, 4 or 8.
    pub cols: u32,
    /// Units decoded between two barriers, 1, 2 or, where packed, 4. Two of floats fill the 16 KiB of workgroup memory that every device
    /// has.
    pub units: u32,
    /// Whether it multiplies integers (`shaders/wgsl/matmul_packed.wgsl`), where the device, the format and the precision allow it, and
    /// not floats (`matmul.wgsl`).
    pub packed: bool,
}

impl Tile {
    const fn of(cols: u32, units: u32) -> Tile {
        Tile { cols, units, packed: false }
    }

    /// The tile for floats, which take more workgroup memory.
    #[must_use]
    pub fn unpacked(&self) -> Tile {
        Tile { units: self.units.min(2), packed: false, ..*self }
    }

    /// Tokens of a workgroup.
    pub fn tokens(&self) -> u32 {
        8 * self.cols
    }
}

/// Every tile that there are shaders for.
pub const TILES: [Tile; 7] = [
    Tile::of(4, 1),
    Tile::of(4, 2),
    Tile::of(8, 1),
    Tile::of(8, 2),
    Tile { packed: true, ..Tile::of(4, 2) },
    Tile { packed: true, ..Tile::of(8, 2) },
    Tile { packed: true, ..Tile::of(8, 4) },
];

const SOFTWARE: Tuning = Tuning { tile: Tile::of(8, 2), threads: None, attends_alone: true };
const SHARING: Tuning = Tuning { tile: Tile::of(4, 1), threads: Some(8 << 10), attends_alone: false };
const DISCRETE: Tuning = Tuning { tile: Tile::of(8, 1), threads: Some(64 << 10), attends_alone: false };

/// Most tokens, or rows, that share what is decoded of a weight where there are few.
pub const FEW: u32 = 8;

/// Threads from which on a tile of many tokens leaves most of the device idle where they are not many.
const BUSY_THREADS: u32 = 32 << 10;

/// Every number of threads that products for few tokens can be made for.
pub(crate) const THREADS: [Option<u32>; 5] =
    [SOFTWARE.threads, SHARING.threads, Some(32 << 10), DISCRETE.threads, Some(128 << 10)];

impl Class {
    /// All of them.
    pub const ALL: [Class; 4] = [Class::Software, Class::Integrated, Class::Discrete, Class::Unknown];
}

/// Fewest and most threads that share rows: 8 read a memory transaction's worth side by side, and no device need allow more
/// than 256 a workgroup.
const LANES: (u32, u32) = (8, 256);

/// Most tokens of a slice, where few threads are to be kept busy and where many are.
const SLICE_TOKENS: (u32, u32) = (128, 512);

impl Tuning {
    /// Threads that share rows of `units` units where there are `quads` times four rows.
    pub fn lanes(&self, quads: u32, units: u32) -> u32 {
        let Some(threads) = self.threads else { return 1 };
        let wanted = (threads / quads.max(1)).next_power_of_two().clamp(LANES.0, LANES.1);
        wanted.min(units.next_power_of_two())
    }

    /// Most tokens that are multiplied a few at a time. A tile for many makes 64 rows, so that a device with many threads has work
    /// for a part of them only, and weights are read as fast several times as once.
    pub fn few_tokens(&self) -> u32 {
        if self.threads >= Some(BUSY_THREADS) { 4 * FEW } else { FEW }
    }

    /// Most tokens of a slice: with as many, 64 tokens and rows a workgroup, even small products keep the threads busy.
    pub fn slice_tokens(&self) -> usize {
        let wanted = self.threads.map_or(0, |threads| threads / 128);
        wanted.clamp(SLICE_TOKENS.0, SLICE_TOKENS.1) as usize
    }

    /// The same with products of integers.
    #[must_use]
    pub fn packed(self) -> Tuning {
        Tuning { tile: Tile { packed: true, ..Tile::of(8, 4) }, ..self }
    }

    /// Which shapes these are, as text.
    pub fn name(&self) -> String {
        let Tile { cols, units, packed } = self.tile;
        let packed = if packed { " packed" } else { "" };
        let threads = self.threads.unwrap_or(0);
        format!("{cols}x{units}{packed} {threads} {}", if self.attends_alone { "alone" } else { "tiles" })
    }

    /// The shapes for a class.
    pub fn of(class: Class) -> Tuning {
        match class {
            Class::Software => SOFTWARE,
            Class::Integrated | Class::Unknown => SHARING,
            Class::Discrete => DISCRETE,
        }
    }
}
