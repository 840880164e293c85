/// The resources that a rig uses on its machine.
package struct RigFootprint: Sendable, Hashable {
    /// Memory in MiB: both boards at most, the air, a worker, and a part of the page cache.
    package var memory: Int
    /// How many rigs side by side keep a core busy.
    package var rigsPerCore: Double
    /// The same for trials of an exploration, which wait for most of their time: a phone for its accessory to come back,
    /// a person for a prompt.
    package var trialsPerCore: Double

    package init(memory: Int, rigsPerCore: Double, trialsPerCore: Double) {
        (self.memory, self.rigsPerCore, self.trialsPerCore) = (memory, rigsPerCore, trialsPerCore)
    }

    /// A rig with translated boards of 300 MiB each: two of them keep two cores busy.
    package static let emulated = RigFootprint(memory: 800, rigsPerCore: 1, trialsPerCore: 2)
    /// A rig whose boards are elsewhere: a worker, and the connections to the boards.
    package static let remote = RigFootprint(memory: 40, rigsPerCore: 8, trialsPerCore: 8)
    /// A rig of native boards, which wait half of the time. Measured: 161 MiB, and 17 for the worker; with eight trials
    /// two cores have no rest.
    package static let native = RigFootprint(memory: 230, rigsPerCore: 1.5, trialsPerCore: 4)
}
