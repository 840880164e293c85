import Glibc
import HILCNetlink
import HILPOSIX
import HILTiming
import RadioModel

extension WirelessStack {
    /// Makes the kernel forget the networks that an interface has heard. Otherwise that takes half a minute. The
    /// interface is up, and scans one channel meanwhile.
    ///
    /// - Throws: `TimedOut` if the kernel still knows some of them after `limit`; ``NetlinkError``, for example because
    ///   the radio is busy with another search.
    package func forgetNetworks(heardBy index: UInt32, within limit: Duration) async throws {
        // Subscribe before the search begins, so that its end is not missed.
        let news = try NetlinkNews(of: ["scan"])
        let began = WirelessStack.timeSinceBoot()
        _ = try socket.request(
            NL80211_CMD_TRIGGER_SCAN,
            [
                (NL80211_ATTR_IFINDEX, bytes(index)),
                // Each is a list with one element, whose type is its index: a channel, and a network of any name.
                (NL80211_ATTR_SCAN_FREQUENCIES, [8, 0, 1, 0] + bytes(2412)), (NL80211_ATTR_SCAN_SSIDS, [4, 0, 1, 0]),
                (NL80211_ATTR_SCAN_FLAGS, bytes(NL80211_SCAN_FLAG_FLUSH.rawValue)),
            ], "scanning one channel")
        try await withDeadline(limit, waitingFor: "the kernel to forget the networks that it has heard") {
            while try await self.knowsNetworks(heardBy: index, before: began) { try await news.next() }
        }
    }

    /// Whether the kernel knows networks that an interface has not heard since a time, in nanoseconds since the board's
    /// boot.
    package func knowsNetworks(heardBy index: UInt32, before began: UInt64) throws(NetlinkError) -> Bool {
        try networks(heardBy: index, since: 0).count > networks(heardBy: index, since: began).count
    }

    /// Nanoseconds since the board's boot, as the kernel stamps the networks that it hears.
    package static func timeSinceBoot() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
