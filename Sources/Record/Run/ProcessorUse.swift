/// Processor time of the machine that a scenario needed, in seconds.
package struct ProcessorUse: Sendable, Codable, Hashable {
    /// Both boards: the system on them, and what the machine did to run it.
    package var boards: Double
    /// The air, and the process that owns the rig.
    package var rig: Double
    /// The process of the scenario.
    package var worker: Double

    package init(boards: Double = 0, rig: Double = 0, worker: Double = 0) {
        self.boards = boards
        self.rig = rig
        self.worker = worker
    }

    /// The time of both together.
    package func adding(_ other: ProcessorUse) -> ProcessorUse {
        ProcessorUse(
            boards: boards + other.boards, rig: rig + other.rig, worker: worker + other.worker)
    }
}
