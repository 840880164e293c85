/// The die's channel over classic Bluetooth, which a die with transport bridging has beside LE.
///
/// It is an L2CAP channel of BR/EDR that only an encrypted link with an authenticated key gets. That it comes up, with the key
/// that was derived from the LE bond's, is what it is for: the phone greets with one byte of any value, and the die then hangs
/// up.
package enum DieChannel {
    /// The protocol and service multiplexer, of the range for everybody's use (Core Specification 6.0, Vol 3, Part A, 4.2).
    package static let port: UInt16 = 0x1001
}
