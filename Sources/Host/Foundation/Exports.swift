// What Foundation, Dispatch and Objective-C's runtime have on Apple's systems and lack on Linux, where apps need it.
@_exported import Dispatch
@_exported import Foundation
