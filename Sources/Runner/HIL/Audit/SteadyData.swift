import Foundation
import RadioModel

/// The data of advertisements that were heard one after the other.
struct SteadyData {
    /// So many bytes that stay tell one device from millions.
    static let telling = 4

    /// Each piece of data, of a company or a service.
    let parts: Set<[UInt8]>
    /// The most bytes of one company or service that were the same each time.
    let steadyBytes: Int
    /// How many advertisements were heard.
    private let count: Int

    /// What stayed, as an object: `6 bytes of data that stayed as they were`.
    var words: String {
        (steadyBytes == 1 ? "1 byte of data" : "\(steadyBytes) bytes of data")
            + (count > 1 ? " that stayed as they were in \(count) advertisements" : " in the only advertisement")
    }

    init(_ advertisements: [Advertisement]) {
        count = advertisements.count
        parts = Set(advertisements.flatMap(SteadyData.parts))
        let companies = advertisements.map { $0.manufacturerData.mapValues(Array.init) }
        let services = advertisements.map { $0.serviceData.mapValues(Array.init) }
        steadyBytes = max(SteadyData.steady(companies), SteadyData.steady(services))
    }

    static func parts(of advertisement: Advertisement) -> [[UInt8]] {
        advertisement.manufacturerData.values.map(Array.init) + advertisement.serviceData.values.map(Array.init)
    }

    private static func steady<Key>(_ data: [[Key: [UInt8]]]) -> Int {
        let keys = Set(data.flatMap(\.keys))
        return keys.map { key in
            let all = data.compactMap { $0[key] }
            return (0..<(all.map(\.count).min() ?? 0)).count { place in Set(all.map { $0[place] }).count == 1 }
        }.max() ?? 0
    }
}
