// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "__name__",
    dependencies: [__DEPENDENCY__],
    targets: [
        // The app's onboarding code: the files that Xcode builds. On Linux, Apple's frameworks come from hil.
        .target(
            name: "__Name__App",
            dependencies: [
                .product(name: "PhoneFrameworks", package: "__HIL__", condition: .when(platforms: [.linux]))
            ],
            // As most apps are built: Swift 6 mode refuses much that works. Remove this line to go on to Swift 6.
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(name: "__Name__AppTests", dependencies: ["__Name__App"]),
        .target(
            name: "Scenarios", dependencies: ["__Name__App", .product(name: "HIL", package: "__HIL__")],
            path: "Scenarios", plugins: [.plugin(name: "ScenarioList", package: "__HIL__")]),
        // The toolchain's own linker is faster than the system's.
        .executableTarget(
            name: "hil", dependencies: ["Scenarios", .product(name: "HIL", package: "__HIL__")],
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
    ])
