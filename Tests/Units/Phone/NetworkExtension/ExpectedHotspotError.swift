import Foundation
import NetworkExtension
import Testing

/// Expects the body to throw this error of hotspot configurations.
func expect(_ expected: NEHotspotConfigurationError, _ body: () async throws -> Void) async {
    do {
        try await body()
        Issue.record("no error")
    } catch {
        let error = error as NSError
        #expect(error.domain == NEHotspotConfigurationErrorDomain && error.code == expected.rawValue)
    }
}
