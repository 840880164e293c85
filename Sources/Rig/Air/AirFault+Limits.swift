import BoardProtocol
import HILTiming
import RigModel

extension AirFault {
    /// Why the air cannot inject this fault that many times; nil if it can.
    func problem(firings: Int) -> String? {
        if !(1...1_000_000).contains(firings) { return "a fault fires 1 to 1,000,000 times, not \(firings)" }
        switch effect {
        case .delayed(let delay) where delay <= .zero || delay > .seconds(600):
            return "a delay is between 0 and 600 s, not \(delay.short)"
        case .altered(let offset, let bytes) where offset < 0 || bytes.isEmpty:
            return "an alteration needs a non-negative offset, and bytes"
        case .silence([], _): return "a silence needs a radio"
        case .silence(let radios, nil) where radios.contains(.wifi): return "a silence of Wi-Fi needs a duration"
        case .unplugged where firings > 1: return "a radio can be unplugged only once"
        case .unplugged(.bluetooth, _, let adapter) where adapter.isHostStack:
            return "a host stack's controller cannot be unplugged: stop the program instead"
        case .unplugged(let radio, let board, let adapter)
        where !LinkID(board: board, radio: radio, adapter: adapter).exists:
            return "the \(board.rawValue) board has no \(radio.rawValue) adapter \(adapter)"
        default: return trigger == nil && !isUnplugging ? "the fault needs a trigger: packets on which it fires" : nil
        }
    }

    private var isUnplugging: Bool { if case .unplugged = effect { true } else { false } }
}
