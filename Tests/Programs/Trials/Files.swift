import Foundation

/// The files of these scenarios.
enum Files {
    static let checkout = #filePath.components(separatedBy: "/Tests/Programs/")[0]
    static let hostStacks = "\(checkout)/Tests/Programs/Trials/HostStacks"
    static let hostStackInterop = "\(checkout)/Tests/Programs/Trials/HostStackInterop"
    /// Where `HostStackInterop/build` puts the programs.
    static let built = "\(checkout)/.build/host-stacks"
}
