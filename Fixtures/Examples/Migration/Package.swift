// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "kettle",
    dependencies: [.package(name: "hil", path: "../../..")],
    targets: [
        // The app's onboarding code: the files that Xcode builds. On Linux, Apple's frameworks come from hil.
        .target(
            name: "KettleApp",
            dependencies: [
                .product(name: "PhoneFrameworks", package: "hil", condition: .when(platforms: [.linux]))
            ]),
        .target(
            name: "Scenarios", dependencies: ["KettleApp", .product(name: "HIL", package: "hil")],
            path: "Scenarios", plugins: [.plugin(name: "ScenarioList", package: "hil")]),
        // The toolchain's own linker is faster than the system's.
        .executableTarget(
            name: "hil", dependencies: ["Scenarios", .product(name: "HIL", package: "hil")],
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]),
    ])
