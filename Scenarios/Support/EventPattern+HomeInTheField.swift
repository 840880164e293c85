import HIL

extension EventPattern where Event == CentralProbe.Callback, Value == Int? {
    /// A write with response has ended; the value is the error's code, nil if it succeeded.
    static var writeEnded: Self {
        Self("a write to end") { if case .written(let code) = $0 { .some(code) } else { nil } }
    }
}
