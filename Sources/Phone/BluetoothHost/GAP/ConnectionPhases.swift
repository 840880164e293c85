import RadioModel

/// The connection parameters that this phone asks for on its own, by the phase of a link.
package struct ConnectionPhases: Sendable, Hashable {
    /// Of a new link: 10 to 30 ms, latency 0, timeout 720 ms. Capture of an iPhone 7 with iOS 13.4,
    /// abandonware/noble#96; the timeout also in espressif/esp-idf#3551 and coredevices/PebbleOS#1747.
    package var atConnect = ConnectionParameters(shortestInterval: 8, longestInterval: 24, latency: 0, timeout: 72)
    /// The expected length of connection events, in units of 0.625 ms. The same capture.
    package var eventLength: ClosedRange<UInt16> = 2...12
    /// Of a link after discovery; nil if the phone changes nothing by itself, as coredevices/PebbleOS#1747 reports.
    package var settled: ConnectionParameters?
    /// After so long a link counts as settled, even if discovery still runs. Assumed.
    package var settleTime: Duration = .seconds(5)
    /// With so many other links or more, a new link has the parameters `withManyLinks`. Assumed.
    package var manyLinks = 4
    /// Of a new link beside many others; nil for `atConnect`. No source has numbers.
    package var withManyLinks: ConnectionParameters?

    package init() {}

    /// The parameters of a new link.
    ///
    /// - Parameter links: How many others there are.
    package func parameters(beside links: Int) -> ConnectionParameters {
        links >= manyLinks ? withManyLinks ?? atConnect : atConnect
    }
}
