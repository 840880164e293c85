import DiceApp
import HIL

extension EventPattern where Event == ForwardingEvent, Value == String {
    /// A key exchange failed, or the session ended, for a reason that contains `piece`.
    static func exchangeOrSessionEnded(_ piece: String) -> Self {
        Self("the phone to find: “\(piece)”") {
            EventPattern.exchangeFailed(piece).value(of: $0) ?? EventPattern.sessionEnded(piece).value(of: $0)
        }
    }
}
