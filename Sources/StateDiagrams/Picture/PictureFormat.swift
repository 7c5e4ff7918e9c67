/// The file formats of pictures.
package enum PictureFormat: String, Sendable, CaseIterable {
    case svg, png, pdf, dot, json
}
