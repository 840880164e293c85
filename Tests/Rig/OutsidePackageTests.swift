import Foundation
import StubRig
import Testing

extension RealRigTests {
    /// A package of somebody else's depends on this one by its path, with targets named as everybody would name them.
    @Suite(
        .enabled(
            if: ProcessInfo.processInfo.environment["HIL_TESTS"] == "all", "building it takes minutes: run `make check`"
        )
    )
    struct OutsidePackageTests {
        /// Outside of the checkout, so that nothing of it is found by going up.
        private struct Place: ~Copyable {
            let folder = NSTemporaryDirectory() + "hil-outside-\(UUID().uuidString)"

            init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

            deinit { try? FileManager.default.removeItem(atPath: folder) }
        }

        private static func run(_ words: [String], in folder: String = "/") async throws -> ProgramOutput {
            try await ProgramOutput(
                of: ["env", "-C", folder] + words, environment: RunnerProcess.environment, withErrors: true)
        }

        /// Adds targets with names that a team may well have.
        private static func addTargets(_ names: [String], to package: String) throws {
            let manifest = "\(package)/Package.swift"
            var text = try String(contentsOfFile: manifest, encoding: .utf8)
            let place = try #require(text.range(of: "    targets: [\n"))
            text.insert(contentsOf: names.map { "        .target(name: \"\($0)\"),\n" }.joined(), at: place.upperBound)
            try text.write(toFile: manifest, atomically: true, encoding: .utf8)
            for name in names {
                let folder = "\(package)/Sources/\(name)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try "public struct Own\(name) {}\n".write(
                    toFile: "\(folder)/Own.swift", atomically: true, encoding: .utf8)
            }
        }

        /// Adds a target that copies sources which are only for iPhones, from a folder beside the package.
        private static func addPhoneOnlyTarget(to package: String) throws {
            let manifest = "\(package)/Package.swift"
            var text = try String(contentsOfFile: manifest, encoding: .utf8)
            let hil = try #require(text.firstMatch(of: /package: "([^"]+)"/)).output.1
            let place = try #require(text.range(of: "    targets: [\n"))
            text.insert(
                contentsOf: """
                            .target(
                                name: "PhoneOnly", dependencies: [.product(name: "PhoneFrameworks", package: "\(hil)")],
                                plugins: [.plugin(name: "AppleSources", package: "\(hil)")]),

                    """, at: place.upperBound)
            try text.write(toFile: manifest, atomically: true, encoding: .utf8)
            let files = [
                "\(package)/Sources/PhoneOnly/AppleSources.txt": "# The app.\n../../../phone\n!../../../phone/Views\n",
                "\(package)/Sources/PhoneOnly/Copied.swift": "// The app is copied, as AppleSources.txt says.\n",
                "\(package)/../phone/Views/Page.swift": "this is no Swift\n",
                "\(package)/../phone/Lamp.swift": """
                #if os(iOS)
                import AccessorySetupKit
                import os.log

                @objcMembers final class Lamp: NSObject {
                    private let log = Logger(subsystem: "lamp", category: "setup")

                    func start() {
                        NotificationCenter.default.addObserver(
                            self, selector: #selector(changed), name: UIApplication.didBecomeActiveNotification, object: nil)
                    }

                    @objc private func changed(_ note: Notification) { log.info("active: \\(note.name.rawValue)") }
                }
                #else
                let neverCompiled: NoSuchType = 1
                #endif
                """,
            ]
            for (path, text) in files {
                try FileManager.default.createDirectory(
                    at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
        }

        @Test(
            "A package of hil init builds, lists its scenarios and runs them on the virtual rig, whatever else it has")
        func lamps() async throws {
            let place = try Place()
            let new = try await Self.run([RunnerProcess.path(of: "hil"), "init", "lamp"], in: place.folder)
            try #require(new.status.isSuccess, "\(new.text)")
            let package = "\(place.folder)/lamp"
            try Self.addTargets(["Air", "Command", "Phone", "Rules", "Timing", "WiFi"], to: package)
            try Self.addPhoneOnlyTarget(to: package)
            let build = try await Self.run(
                [
                    "swift", "build", "--quiet", "--disable-index-store", "-Xswiftc", "-gnone",
                    "--package-path", package,
                ])
            try #require(build.status.isSuccess, "\(build.text)")
            #expect(!build.text.contains("warning:"), "\(build.text)")
            let hil = "\(package)/.build/debug/hil"
            let list = try await Self.run([hil, "list"])
            #expect(list.status.isSuccess)
            #expect(list.text.contains("lampIsOnboarded") && list.text.contains("personCancels"), "\(list.text)")
            let targets = try await Self.run([hil, "audit", "--targets"])
            #expect(targets.text.hasPrefix(".lamp  program, Scenarios/LampIsOnboarded.swift:7"), "\(targets.text)")
            if ProcessInfo.processInfo.environment["HIL_TRIALS"] != nil {
                let audit = try await Self.run([hil, "audit", ".lamp", "--only", "access.hidden", "--boards", "qemu"])
                #expect(audit.status.isSuccess && audit.text.contains("audit of .lamp: 1 holds"), "\(audit.text)")
            }

            let run = try await Self.run([hil, "run", "--boards", "qemu"])
            #expect(run.status.isSuccess, "\(run.text)")
            #expect(run.text.contains("2 passed"))
            #expect(run.text.contains("page: ") && !run.text.contains("page is not complete"), "\(run.text)")
            let code = "\(package)/.build/debug/hil_HILReports.resources/Web/run.html"
            #expect(FileManager.default.fileExists(atPath: code), "the code of the page lies beside hil")
            let report = try String(contentsOfFile: "\(package)/results/latest/junit.xml", encoding: .utf8)
            #expect(
                report.contains("classname=\"Scenarios.LampIsOnboarded\""), "files are named from the package's folder")
        }
    }
}
