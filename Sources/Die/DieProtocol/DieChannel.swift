/// The die's channel over classic Bluetooth. A die with transport bridging has it in addition to LE.
///
/// It is an L2CAP channel of BR/EDR that needs encryption with an authenticated key. Its purpose is to show that the
/// link comes up with the key that was derived from the LE bond: the phone sends one byte of any value, then the die
/// closes the channel.
package enum DieChannel {
    /// The protocol and service multiplexer, from the range for free use (Core Specification 6.0, Vol 3, Part A, 4.2).
    package static let port: UInt16 = 0x1001
}
