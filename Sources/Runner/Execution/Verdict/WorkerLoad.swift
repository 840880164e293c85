import HILPOSIX

/// Decides whether a worker that missed its budget was busy itself. Then a late machine is no excuse.
package struct WorkerLoad: Sendable {
    /// The times of its thread that was runnable for longest.
    package let time: ProcessorTime.Thread
    /// The time since its scenario began.
    package let elapsed: Duration

    package init(time: ProcessorTime.Thread, elapsed: Duration) {
        self.time = time
        self.elapsed = elapsed
    }

    /// Whether a thread was always runnable, and had its share of a processor.
    var isBusyByItself: Bool { time.ran + time.waited >= elapsed * 0.9 && time.ran >= elapsed * 0.25 }
}

/// Measures how busy a worker is, from its creation on.
struct WorkerWatch {
    private let before: ProcessorTime?
    private let began = ContinuousClock.now

    init(_ worker: any RunningWorker) { before = worker.processorTime }

    /// The load so far; nil if unknown.
    func load(of worker: any RunningWorker) -> WorkerLoad? {
        guard let before, let time = worker.processorTime?.busiest(since: before) else { return nil }
        return WorkerLoad(time: time, elapsed: ContinuousClock.now - began)
    }
}
