import Foundation

/// The folder of this checkout, from where this file was compiled.
package let checkout = #filePath.components(separatedBy: "/Tests/Support/")[0]
