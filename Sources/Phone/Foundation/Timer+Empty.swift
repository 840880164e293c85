import Foundation

extension Timer {
    /// A timer that never fires, as apps make one where a property must have a value. Source: Foundation, NSObject's `init`.
    public convenience init(_ nothing: Void = ()) {
        self.init(timeInterval: 0, repeats: false) { _ in }
        invalidate()
    }
}
