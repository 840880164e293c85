import Foundation

/// The folder of this checkout, from where this file was compiled.
package let checkout = #filePath.components(separatedBy: "/Tests/Support/")[0]

/// The path of a file or folder in `Fixtures/`.
package func fixture(_ name: String) -> String { "\(checkout)/Fixtures/\(name)" }
