import Foundation
import TestSupport

/// Whether commands are installed; if one is missing, standard error gets a line.
func areInstalled(_ commands: String..., otherwise loss: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let missing = commands.filter { command in
        !path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(command)") }
    }
    return isAvailable(missing.isEmpty, otherwise: "\(missing.joined(separator: ", ")) not installed: \(loss)")
}
