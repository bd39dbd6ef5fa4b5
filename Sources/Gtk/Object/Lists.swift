import CGio
import CGtk

/// The pointers in a list of GLib, in order.
func pointers(in list: UnsafeMutablePointer<GList>?) -> [UnsafeMutableRawPointer] {
  guard let list else { return [] }
  return sequence(first: list) { $0.pointee.next }.compactMap { $0.pointee.data }
}

/// The pointers in a singly linked list of GLib, in order.
func pointers(in list: UnsafeMutablePointer<GSList>?) -> [UnsafeMutableRawPointer] {
  guard let list else { return [] }
  return sequence(first: list) { $0.pointee.next }.compactMap { $0.pointee.data }
}
