// The parts of Foundation, Dispatch and Objective-C's runtime that apps need and Linux lacks.
@_exported import Dispatch
@_exported import Foundation
